/** How much of the end of a command's output is kept, in bytes. */
const keptBytes = 8_192;

/** The end of what a command has printed, both streams together in the order in which it came. */
export class OutputTail {
  #chunks: Buffer[] = [];
  #kept = 0;
  #bytes = 0;

  /** Takes in what was printed. */
  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    for (let first = this.#chunks[0]; first && this.#kept - first.length >= keptBytes; ) {
      this.#kept -= first.length;
      this.#chunks.shift();
      first = this.#chunks[0];
    }
  }

  /** The end as text, how much there was in all, and whether this is less. */
  report(): { tail: string; bytes: number; truncated: boolean } {
    const whole = Buffer.concat(this.#chunks);
    const truncated = this.#bytes > keptBytes;
    const end = truncated ? whole.subarray(-keptBytes) : whole;
    // The cut may go through a character; what is left of it is dropped.
    const begin = truncated ? end.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    return { tail: end.subarray(Math.max(0, begin)).toString('utf8'), bytes: this.#bytes, truncated };
  }
}
