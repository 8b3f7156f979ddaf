import { fstatSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';

/** Tells whether there is still somebody who reads what is written; in doubt there is. */
type ReaderLookup = () => boolean;

const nothing = Buffer.alloc(0);
const somebody: ReaderLookup = () => true;

/**
 * Looks for the reader of a pipe or socket without writing anything to it. To write nothing is refused as any other write is when the
 * reader of a socket has gone, and on macOS that of a pipe. Linux lets it pass on a pipe; there the processes tell.
 */
export function readerLookup(descriptor: number): ReaderLookup {
  const kind = fstatSync(descriptor);
  if (!kind.isFIFO() && !kind.isSocket()) return somebody;
  const isHeld = kind.isFIFO() && process.platform === 'linux' ? heldPipe(descriptor) : somebody;
  return () => !isRefused(descriptor) && isHeld();
}

function isRefused(descriptor: number): boolean {
  try {
    writeSync(descriptor, nothing);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE';
  }
}

/**
 * A pipe on Linux has no reader when every process that was seen to read it has let go of it, and no other is seen. Where none was
 * ever seen, because it belongs to somebody else or is outside of the container, nothing can be told.
 */
function heldPipe(descriptor: number): ReaderLookup {
  const pipe = linkAt(`/proc/self/fd/${descriptor}`);
  const readers = () => pidsIn('/proc').filter((pid) => mayRead(pid, pipe) === 'reads');
  let known = pipe === undefined ? [] : readers();
  return () => {
    if (known.length === 0) return true;
    // One that cannot be looked at any more, such as a shell that has become sudo, is still there.
    known = known.filter((pid) => mayRead(pid, pipe) !== 'gone');
    if (known.length > 0) return true;
    known = readers();
    return known.length > 0;
  };
}

/** Whether a process has the end of a pipe from which it is read. */
function mayRead(pid: string, pipe: string | undefined): 'reads' | 'gone' | 'unknown' {
  const folder = `/proc/${pid}/fd`;
  try {
    // What is open for reading is a link that can be read.
    const isEnd = (name: string) =>
      linkAt(`${folder}/${name}`) === pipe && (lstatSync(`${folder}/${name}`).mode & 0o400) !== 0;
    return readdirSync(folder).some(isEnd) ? 'reads' : 'gone';
  } catch {
    // It is another's, or has ended meanwhile.
    return isOver(pid) ? 'gone' : 'unknown';
  }
}

/** Whether a process has ended, perhaps without that anybody has asked how. */
function isOver(pid: string): boolean {
  try {
    const [state = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').slice(-1);
    return /^[ZX]/.test(state);
  } catch {
    // There is no such process.
    return true;
  }
}

function pidsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It was closed meanwhile, or there is no /proc.
    return undefined;
  }
}
