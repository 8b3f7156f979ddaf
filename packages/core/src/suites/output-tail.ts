import type { Redactor } from '../redact/redactor.js';

/** How much of the end of a command's output is told, in bytes. */
const toldBytes = 8_192;

/** How much more is kept at least: what begins with half a secret is not told, and few are longer that are not known by value. */
const leastMarginBytes = 8_192;

/** The end of what a command has printed, both streams together in the order in which it came. */
export class OutputTail {
  #chunks: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  readonly #redactor: Pick<Redactor, 'text'>;
  readonly #marginBytes: number;
  readonly #keptBytes: number;

  constructor(redactor: Pick<Redactor, 'text' | 'longest'>) {
    this.#redactor = redactor;
    this.#marginBytes = Math.max(leastMarginBytes, redactor.longest);
    // Something must be left also where the longest was taken out.
    this.#keptBytes = toldBytes + this.#marginBytes + redactor.longest;
  }

  /** Takes in what was printed. */
  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    for (let first = this.#chunks[0]; first && this.#kept - first.length >= this.#keptBytes; ) {
      this.#kept -= first.length;
      this.#chunks.shift();
      first = this.#chunks[0];
    }
  }

  /** The end as text without secrets, how much there was in all, and whether this is less. */
  report(): { tail: string; bytes: number; truncated: boolean } {
    const safe = Buffer.from(this.#redactor.text(Buffer.concat(this.#chunks).toString('utf8')));
    const margin = this.#kept < this.#bytes ? this.#marginBytes : 0;
    const tail = wholeCharacters(safe.subarray(Math.max(margin, safe.length - toldBytes)));
    return { tail, bytes: this.#bytes, truncated: margin > 0 || safe.length > toldBytes };
  }
}

/** The cut may go through a character; what is left of it is dropped. */
function wholeCharacters(end: Buffer): string {
  const begin = end.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return end.subarray(Math.max(0, begin)).toString('utf8');
}
