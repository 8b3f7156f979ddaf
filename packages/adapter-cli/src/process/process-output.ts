import { fstatSync, writeSync } from 'node:fs';
import type { Output } from '../io.js';
import { readerLookup } from './reader-lookup.js';

/** The program's own way to a stream, which stays open to it when others are sent elsewhere. */
export interface ProcessOutput extends Output {
  /** Done when everything written has been taken, or there is nobody left to take it. */
  flush(): Promise<void>;
  /** Whether something could not be written although somebody was there to take it, as on a full disk. */
  lost(): boolean;
}

/**
 * How much is written directly, in bytes: a pipe has room for that much. What comes after goes through Node's stream,
 * which waits for a slow reader without blocking; making that stream takes longer than writing a short answer.
 */
const directBytes = 4096;

/** How often it is looked whether somebody still reads, in milliseconds: soon for a person, seldom for a machine. */
const heedMs = 1_000;

/** Writes to a stream of this process. A reader who goes away is not an error: there is just nobody left to tell. */
export function processOutput(name: 'stdout' | 'stderr'): ProcessOutput {
  const descriptor = name === 'stdout' ? 1 : 2;
  const isDevice = isDeviceAt(descriptor);
  const makeStream = makerOf(name);
  let stream: NodeJS.WriteStream | undefined;
  let directLeft = isDevice ? 0 : directBytes;
  let isGone = false;
  let isLost = false;
  let tellUnread = (): void => undefined;
  const unread = new Promise<void>((resolve) => {
    tellUnread = resolve;
  });
  // A reader who goes away has read what he wanted.
  const give = (error: unknown) => {
    isGone = true;
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') tellUnread();
    else isLost = true;
  };
  let cursorHidden = false;
  let writeRaw: NodeJS.WriteStream['write'] | undefined;
  let taker: ((text: string) => void) | undefined;

  const opened = (): NodeJS.WriteStream => {
    if (stream) return stream;
    stream = makeStream();
    stream.on('error', give);
    writeRaw = stream.write.bind(stream);
    return stream;
  };

  const put = (text: string) => {
    const bytes = Buffer.from(text);
    directLeft -= bytes.length;
    const written = directLeft < 0 ? 0 : writeDirectly(descriptor, bytes, give);
    if (isGone || written === bytes.length) return;
    directLeft = 0;
    opened();
    writeRaw?.(bytes.subarray(written));
  };

  const output: ProcessOutput = {
    unread,
    get isTTY() {
      return isDevice && opened().isTTY === true;
    },
    // A terminal that does not tell its size says 0.
    get columns() {
      return opened().columns || 80;
    },
    get rows() {
      return opened().rows || 24;
    },
    write(text) {
      if (taker) taker(text);
      else put(text);
    },
    heedReader() {
      if (isDevice) return;
      const isRead = readerLookup(descriptor);
      const timer = setInterval(() => {
        if (!isGone && isRead()) return;
        clearInterval(timer);
        isGone = true;
        tellUnread();
      }, heedMs);
      timer.unref();
    },
    showCursor(visible) {
      if (cursorHidden === !visible) return;
      cursorHidden = !visible;
      put(visible ? '\x1b[?25h' : '\x1b[?25l');
    },
    onResize(listener) {
      opened().on('resize', listener);
      return () => void opened().off('resize', listener);
    },
    claim(take) {
      if (!output.isTTY) return undefined;
      const restore = hear(opened(), take);
      taker = take;
      return {
        write: put,
        release() {
          restore();
          taker = undefined;
        },
      };
    },
    lost: () => isLost,
    flush: () =>
      new Promise((resolve) => {
        if (isGone || !stream) resolve();
        else writeRaw?.('', () => resolve());
      }),
  };
  process.once('exit', () => output.showCursor(true));
  return output;
}

/** Node makes a stream when it is first asked for; this asks for the same one later, whatever `process` says by then. */
function makerOf(name: 'stdout' | 'stderr'): () => NodeJS.WriteStream {
  const property = Object.getOwnPropertyDescriptor(process, name);
  return () => property?.get?.call(process) ?? property?.value;
}

/** Hands over what is written to a stream by whoever writes to it, such as a plugin that prints something. */
function hear(stream: NodeJS.WriteStream, take: (text: string) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(stream, 'write');
  const write: NodeJS.WriteStream['write'] = (
    chunk: string | Uint8Array,
    ...rest: readonly (string | ((error?: Error | null) => void) | undefined)[]
  ) => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const done = rest.find((one) => typeof one === 'function');
    if (done) process.nextTick(done);
    return true;
  };
  Object.defineProperty(stream, 'write', { configurable: true, writable: true, value: write });
  return () => {
    if (own) Object.defineProperty(stream, 'write', own);
    else Reflect.deleteProperty(stream, 'write');
  };
}

/** Whether it is a terminal or another device, and no pipe or file. */
function isDeviceAt(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // What cannot be looked at is left to Node.
    return true;
  }
}

/** How many bytes were written: none when there is no room at the moment, or when it failed. */
function writeDirectly(descriptor: number, bytes: Buffer, give: (error: unknown) => void): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') give(error);
    return 0;
  }
}
