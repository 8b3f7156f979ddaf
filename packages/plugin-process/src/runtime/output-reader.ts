import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import type { LogLine } from '@argusai/core';
import { outputNumbers, outputPath, parseLine } from '../programs/output-files.mjs';

const chunkSize = 64 * 1024;

/** Reads the output of one service, file after file, and knows how far it has come. It must be closed. */
export class OutputReader {
  readonly #dir: string;
  readonly #service: string;
  #number = 0;
  #offset = 0;
  /** Held open while it is read: whoever removes a service takes its files away, which may hold its last words. */
  #file: FileHandle | undefined;
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
      yield* this.#readFile();
      if (await this.#isRemoved()) {
        // What it said last came after that look, or before; then there is nothing.
        yield* this.#readFile();
        await this.close();
        if (!(await this.#goesOn())) return;
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
  async #goesOn(): Promise<boolean> {
    const numbers = await this.#numbers();
    const wasTooOld = numbers.length > 0 && numbers.every((number) => number > this.#number);
    if (!wasTooOld) [this.#number, this.#offset] = [0, 0];
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

/** A file that is gone was too old to be kept, or there is none yet. */
function nothingWhenGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
