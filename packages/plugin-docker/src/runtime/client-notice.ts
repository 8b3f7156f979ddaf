const begins = /^DEPRECATED: The legacy builder/;

/** Knows the notice that the client prints before it builds with the builder of old engines: it says nothing of the build. */
export class ClientNotice {
  #isGoingOn = false;

  /** Whether the next line of stderr belongs to it: the first, those that are indented, and the empty one after them. */
  has(line: string): boolean {
    this.#isGoingOn = begins.test(line) || (this.#isGoingOn && /^(\s|$)/.test(line));
    return this.#isGoingOn;
  }
}
