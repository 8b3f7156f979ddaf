/** The services that a setup has started, in the order of their starts. It goes through all its tries. */
export class StartedAnew {
  readonly #names: string[] = [];

  /** Notes that a service is being started. */
  add(name: string): void {
    this.#names.push(name);
  }

  /** Whether a service was started. */
  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** Whether a service was started after another one, or that one not at all. */
  isLater(name: string, other: string): boolean {
    return this.#names.lastIndexOf(name) > this.#names.lastIndexOf(other);
  }
}
