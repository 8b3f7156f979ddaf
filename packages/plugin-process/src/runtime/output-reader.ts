import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import type { LogLine } from '@argusai/core';
import { outputNumbers, outputPath } from '../programs/output-files.mjs';
import { JoinedLines } from './joined-lines.js';

const chunkSize = 64 * 1024;

/** Reads the output of one service, file after file, and knows how far it has come. It must be closed. */
export class OutputReader {
  readonly #dir: string;
  readonly #service: string;
  #number = 0;
  #offset = 0;
  /** Held open while it is read: whoever removes a service takes its files away, which may hold its last words. */
  #file: FileHandle | undefined;
  #lines = new JoinedLines();
  #end = { number: Number.POSITIVE_INFINITY, offset: 0 };

  constructor(dir: string, service: string) {
    this.#dir = dir;
    this.#service = service;
  }

  /** Ends with what is there now, or a service that writes faster than it is read would never be read to the end. */
  async endHere(): Promise<void> {
    const number = (await this.#numbers()).at(-1) ?? 0;
    const offset = await stat(outputPath(this.#dir, number)).then(({ size }) => size, zeroWhenGone);
    this.#end = { number, offset };
  }

  /** Goes to where only so many lines are left. */
  async skipToLast(lines: number): Promise<void> {
    const seen = new Set<string>();
    let missing = lines;
    for (const number of (await this.#numbers()).reverse()) {
      const content = await readFile(outputPath(this.#dir, number)).catch(emptyWhenGone);
      const offset = startOfLast(content.subarray(0, this.#endOf(number)), missing, seen);
      [this.#number, this.#offset] = [number, offset.at];
      missing -= offset.lines;
      this.#lines = new JoinedLines(begunIn(content.subarray(0, offset.at)));
      // The first of them may have begun in the file before.
      if (offset.at > 0) return;
    }
  }

  /** The lines that are there and were not yet read; with `unended`, also what goes on with something that is not there yet. */
  async *read({ unended = false } = {}): AsyncGenerator<LogLine> {
    yield* this.#readFiles();
    if (unended) yield* this.#unended();
  }

  *#unended(): Generator<LogLine> {
    for (const line of this.#lines.unended()) yield { service: this.#service, ...line };
  }

  async *#readFiles(): AsyncGenerator<LogLine> {
    for (;;) {
      // The numbers come first: when there is a next file by now, nothing more will be written to this one.
      const numbers = await this.#numbers();
      yield* this.#readFile();
      if (await this.#isRemoved()) {
        // What it said last came after that look, or before; then there is nothing.
        yield* this.#readFile();
        const { begun } = this.#lines;
        yield* this.#unended();
        await this.close();
        if (!(await this.#goesOn(begun))) return;
        continue;
      }
      const next = numbers.find((number) => number > this.#number);
      if (next === undefined) return;
      await this.close();
      [this.#number, this.#offset] = [next, 0];
    }
  }

  /** Lets go of the file that is read. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  /** Whether the file that is read has been removed. */
  async #isRemoved(): Promise<boolean> {
    return this.#file !== undefined && (await this.#file.stat()).nlink === 0;
  }

  /** After the file was removed: goes to the next, or to the beginning when the service was removed and began anew. */
  async #goesOn(begun: readonly LogLine['stream'][]): Promise<boolean> {
    const numbers = await this.#numbers();
    const wasTooOld = numbers.length > 0 && numbers.every((number) => number > this.#number);
    if (!wasTooOld) [this.#number, this.#offset] = [0, 0];
    // What a next file has of a line whose beginning was told is no line of its own.
    this.#lines = new JoinedLines(wasTooOld ? begun : []);
    return numbers.length > 0 && (wasTooOld || !Number.isFinite(this.#end.number));
  }

  async *#readFile(): AsyncGenerator<LogLine> {
    this.#file ??= await open(outputPath(this.#dir, this.#number)).catch(nothingWhenGone);
    if (this.#file === undefined) return;
    const buffer = Buffer.alloc(chunkSize);
    for (;;) {
      const length = Math.max(0, Math.min(chunkSize, this.#endOf(this.#number) - this.#offset));
      const { bytesRead } = await this.#file.read(buffer, 0, length, this.#offset);
      // Only whole lines; the rest is read again when it is complete. No line is longer than the buffer.
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      if (end === 0) return;
      this.#offset += end;
      yield* this.#parse(buffer.toString('utf8', 0, end));
    }
  }

  *#parse(text: string): Generator<LogLine> {
    for (const line of text.split('\n')) {
      const whole = this.#lines.add(line);
      if (whole) yield { service: this.#service, ...whole };
    }
  }

  async #numbers(): Promise<number[]> {
    const numbers = outputNumbers(await readdir(this.#dir).catch(() => []));
    return numbers.filter((number) => number <= this.#end.number);
  }

  #endOf(number: number): number {
    return number === this.#end.number ? this.#end.offset : Number.POSITIVE_INFINITY;
  }
}

/** Where the last lines of a file begin, and how many of them there are. A line in pieces is one; `seen` are the streams of pieces after these. */
function startOfLast(content: Uint8Array, wanted: number, seen: Set<string>): { at: number; lines: number } {
  let lines = 0;
  let at = content.lastIndexOf(10) + 1;
  for (const { begin, stream, goesOn } of piecesBackwards(content)) {
    const isEnd = !goesOn || !seen.has(stream);
    if (isEnd && lines === wanted) break;
    if (isEnd) lines += 1;
    seen.add(stream);
    at = begin;
  }
  return { at, lines };
}

/** The streams whose last piece in a file goes on after it. */
function begunIn(content: Uint8Array): LogLine['stream'][] {
  const last = new Map<string, boolean>();
  for (const { stream, goesOn } of piecesBackwards(content)) {
    if (!last.has(stream)) last.set(stream, goesOn);
    if (last.size === 2) break;
  }
  return (['stdout', 'stderr'] as const).filter((stream) => last.get(stream));
}

/** The pieces of a file from the last to the first: where each begins, of which stream it is, and whether its line goes on after it. */
function* piecesBackwards(
  content: Uint8Array,
): Generator<{ begin: number; stream: string; goesOn: boolean }> {
  for (let end = content.lastIndexOf(10) + 1; end > 0; ) {
    const begin = end === 1 ? 0 : content.lastIndexOf(10, end - 2) + 1;
    const letter = String.fromCharCode(content[content.indexOf(32, begin) + 1] ?? 0);
    const stream = letter.toLowerCase() === 'e' ? 'stderr' : 'stdout';
    yield { begin, stream, goesOn: letter === 'E' || letter === 'O' };
    end = begin;
  }
}

/** There is no output yet, or the file was too old to be kept. */
function zeroWhenGone(error: NodeJS.ErrnoException): number {
  if (error.code === 'ENOENT') return 0;
  throw error;
}

/** A file that is gone was too old to be kept. */
function emptyWhenGone(error: NodeJS.ErrnoException): Uint8Array {
  if (error.code === 'ENOENT') return new Uint8Array();
  throw error;
}

/** A file that is gone was too old to be kept, or there is none yet. */
function nothingWhenGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
