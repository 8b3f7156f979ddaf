/** After how many failures of the same call with nothing changed a person is needed. */
const limit = 3;

interface Streak {
  readonly code: string;
  readonly world: string;
  readonly count: number;
}

/** Notices an agent that makes the same failing call over and over, although nothing has changed. */
export class Failures {
  readonly #streaks = new Map<string, Streak>();
  #changes = 0;

  /** How often something was changed through this server. */
  get changes(): number {
    return this.#changes;
  }

  /** Notes a call that went well. */
  succeeded(call: string, hasChanged: boolean): void {
    this.#streaks.delete(call);
    if (hasChanged) this.#changes += 1;
  }

  /** Notes a call that failed, and tells whether it is time for a person. `world` is what the environment looks like. */
  failed(call: string, code: string, world: string): boolean {
    const before = this.#streaks.get(call);
    const seen = `${this.#changes} ${world}`;
    const isSame = before?.code === code && before.world === seen;
    const count = isSame ? before.count + 1 : 1;
    this.#streaks.set(call, { code, world: seen, count });
    return count >= limit;
  }
}
