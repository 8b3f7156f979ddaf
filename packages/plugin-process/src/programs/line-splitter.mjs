import { StringDecoder } from 'node:string_decoder';

/** A line that never ends must not fill the memory; it is written in pieces of so many characters. */
const longest = 16_384;

/**
 * @typedef {{ readonly text: string, readonly goesOn: boolean }} Piece A line, or a part of one that goes on with the next piece: whoever
 * reads it puts it together again, because half a line may hold half a secret.
 */

/** Cuts the output of a process into lines, also where a character comes in two pieces. */
export class LineSplitter {
  #decoder = new StringDecoder('utf8');
  #rest = '';
  /** Whether a part of the line that goes on was given out. */
  #isOpen = false;

  /**
   * The lines that a piece of output completes.
   * @param {Buffer} chunk
   * @returns {Piece[]}
   */
  push(chunk) {
    return this.#split(this.#rest + this.#decoder.write(chunk));
  }

  /**
   * The line that has not ended yet, as far as it goes.
   * @returns {Piece[]}
   */
  flush() {
    if (this.#rest === '') return [];
    const text = this.#rest;
    this.#rest = '';
    this.#isOpen = true;
    return [{ text, goesOn: true }];
  }

  /**
   * What is left when the output has ended.
   * @returns {Piece[]}
   */
  end() {
    const lines = this.#split(this.#rest + this.#decoder.end());
    const text = this.#rest;
    const isLeft = text !== '' || this.#isOpen;
    this.#rest = '';
    this.#isOpen = false;
    return isLeft ? [...lines, { text, goesOn: false }] : lines;
  }

  /** @param {string} text */
  #split(text) {
    const lines = text.split('\n');
    const begun = piecesOf(lines.pop() ?? '');
    this.#rest = begun.pop() ?? '';
    if (lines.length > 0) this.#isOpen = false;
    if (begun.length > 0) this.#isOpen = true;
    const whole = lines.flatMap((line) => {
      const pieces = piecesOf(line.endsWith('\r') ? line.slice(0, -1) : line);
      return pieces.map((piece, at) => ({ text: piece, goesOn: at < pieces.length - 1 }));
    });
    return [...whole, ...begun.map((piece) => ({ text: piece, goesOn: true }))];
  }
}

/** @param {string} line */
function piecesOf(line) {
  if (line.length <= longest) return [line];
  const count = Math.ceil(line.length / longest);
  return Array.from({ length: count }, (_, index) => line.slice(index * longest, (index + 1) * longest));
}
