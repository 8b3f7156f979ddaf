import { StringDecoder } from 'node:string_decoder';

/** A line that never ends must not fill the memory; it is cut into pieces of so many characters. */
const longest = 16_384;

/** Cuts the output of a process into lines, also where a character comes in two pieces. */
export class LineSplitter {
  #decoder = new StringDecoder('utf8');
  #rest = '';

  /**
   * The lines that a piece of output completes.
   * @param {Buffer} chunk
   * @returns {string[]}
   */
  push(chunk) {
    return this.#split(this.#rest + this.#decoder.write(chunk));
  }

  /**
   * The line that has not ended yet, as far as it goes.
   * @returns {string[]}
   */
  flush() {
    const rest = this.#rest === '' ? [] : [this.#rest];
    this.#rest = '';
    return rest;
  }

  /**
   * What is left when the output has ended.
   * @returns {string[]}
   */
  end() {
    const lines = this.#split(this.#rest + this.#decoder.end());
    return [...lines, ...this.flush()];
  }

  /** @param {string} text */
  #split(text) {
    const lines = text.split('\n');
    const last = pieces(lines.pop() ?? '');
    this.#rest = last.pop() ?? '';
    return [...lines.flatMap((line) => pieces(line.endsWith('\r') ? line.slice(0, -1) : line)), ...last];
  }
}

/** @param {string} line */
function pieces(line) {
  if (line.length <= longest) return [line];
  const count = Math.ceil(line.length / longest);
  return Array.from({ length: count }, (_, index) => line.slice(index * longest, (index + 1) * longest));
}
