import { open, readdir, readFile, stat } from 'node:fs/promises';
import type { LogLine } from '@argusai/core';
import { outputNumbers, outputPath, parseLine } from '../programs/output-files.mjs';

const chunkSize = 64 * 1024;

/** Reads the output of one service, file after file, and knows how far it has come. */
export class OutputReader {
  readonly #dir: string;
  readonly #service: string;
  #number = 0;
  #offset = 0;
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
    let missing = lines;
    for (const number of (await this.#numbers()).reverse()) {
      const content = await readFile(outputPath(this.#dir, number)).catch(emptyWhenGone);
      const offset = startOfLast(content.subarray(0, this.#endOf(number)), missing);
      [this.#number, this.#offset] = [number, offset.at];
      missing -= offset.lines;
      if (missing <= 0) return;
    }
  }

  /** The lines that are there and were not yet read. */
  async *read(): AsyncGenerator<LogLine> {
    for (;;) {
      // The numbers come first: when there is a next file by now, nothing more will be written to this one.
      const numbers = await this.#numbers();
      const newest = numbers.at(-1);
      if (newest === undefined) return;
      // The service was removed and began anew.
      if (this.#number > newest) [this.#number, this.#offset] = [0, 0];
      yield* this.#readFile();
      const next = numbers.find((number) => number > this.#number);
      if (next === undefined) return;
      [this.#number, this.#offset] = [next, 0];
    }
  }

  async *#readFile(): AsyncGenerator<LogLine> {
    const file = await open(outputPath(this.#dir, this.#number)).catch(emptyWhenGone);
    if (file instanceof Uint8Array) return;
    try {
      const buffer = Buffer.alloc(chunkSize);
      for (;;) {
        const length = Math.max(0, Math.min(chunkSize, this.#endOf(this.#number) - this.#offset));
        const { bytesRead } = await file.read(buffer, 0, length, this.#offset);
        // Only whole lines; the rest is read again when it is complete. No line is longer than the buffer.
        const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
        if (end === 0) return;
        this.#offset += end;
        yield* this.#parse(buffer.toString('utf8', 0, end));
      }
    } finally {
      await file.close();
    }
  }

  *#parse(text: string): Generator<LogLine> {
    for (const line of text.split('\n')) {
      const parsed = parseLine(line);
      if (parsed) yield { service: this.#service, ...parsed };
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

/** Where the last lines of a file begin, and how many of them there are. */
function startOfLast(content: Uint8Array, wanted: number): { at: number; lines: number } {
  let lines = 0;
  let at = content.lastIndexOf(10) + 1;
  while (lines < wanted && at > 0) {
    at = at === 1 ? 0 : content.lastIndexOf(10, at - 2) + 1;
    lines += 1;
  }
  return { at, lines };
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
