import { closeSync, fstatSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openAtEnd } from './own-file.mjs';

// Output goes to numbered files. A full one is never renamed, the next number is begun instead, so that whoever reads
// along needs only to go on with the next number.

/**
 * @typedef {'stdout' | 'stderr'} Stream
 * @typedef {{ readonly size: number, readonly files: number }} OutputLimits The bytes of one file, and how many are kept.
 */

const name = /^output-(\d+)\.log$/;

/**
 * The path of one file of output.
 * @param {string} dir
 * @param {number} number
 */
export function outputPath(dir, number) {
  return join(dir, `output-${String(number).padStart(6, '0')}.log`);
}

/**
 * The numbers of the files of output in a folder, oldest first.
 * @param {readonly string[]} names
 * @returns {number[]}
 */
export function outputNumbers(names) {
  return names
    .flatMap((each) => name.exec(each)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * One line as it is kept: when, which stream, what. The letter of the stream is a capital where the line goes on with the next of that stream.
 * @param {number} at
 * @param {Stream} stream
 * @param {string} text
 * @param {boolean} [goesOn]
 */
export function formatLine(at, stream, text, goesOn = false) {
  const letter = stream === 'stdout' ? 'o' : 'e';
  return `${at} ${goesOn ? letter.toUpperCase() : letter} ${text}\n`;
}

/**
 * Reads a line without its end; nothing when it is none of ours.
 * @param {string} line
 * @returns {{ at: number, stream: Stream, text: string, goesOn?: true } | undefined}
 */
export function parseLine(line) {
  const match = /^(\d+) ([oeOE]) (.*)$/s.exec(line);
  if (!match) return undefined;
  const [, at, letter = '', text = ''] = match;
  const stream = letter.toLowerCase() === 'o' ? 'stdout' : 'stderr';
  return { at: Number(at), stream, text, ...(/[OE]/.test(letter) ? { goesOn: true } : {}) };
}

/** Writes output to numbered files of limited size and keeps the newest of them. */
export class OutputFiles {
  #dir;
  #limits;
  #number;
  #fd = -1;
  #written = 0;

  /**
   * @param {string} dir
   * @param {OutputLimits} limits
   */
  constructor(dir, limits) {
    this.#dir = dir;
    this.#limits = limits;
    this.#number = outputNumbers(readdirSync(dir)).at(-1) ?? 1;
  }

  /**
   * Writes whole lines at once. Without room for them they are lost: a full disk must not stop a service.
   * @param {string} lines
   */
  write(lines) {
    try {
      this.#open();
      this.#written += writeSync(this.#fd, lines);
    } catch {
      this.close();
    }
  }

  /** Closes the current file; the next write opens it again. */
  close() {
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  #open() {
    if (this.#fd >= 0 && this.#written >= this.#limits.size) {
      this.close();
      this.#number += 1;
    }
    if (this.#fd >= 0) return;
    this.#fd = openAtEnd(outputPath(this.#dir, this.#number));
    this.#written = fstatSync(this.#fd).size;
    const old = outputNumbers(readdirSync(this.#dir)).slice(0, -this.#limits.files);
    for (const number of old) rmSync(outputPath(this.#dir, number), { force: true });
  }
}
