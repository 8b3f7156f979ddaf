import { randomUUID } from 'node:crypto';

/** How many plans are remembered; nobody answers more questions than that at a time. */
const keptPlans = 50;

/** Which plan each question showed to a person. It goes under a name that nobody can guess, since a client has to bring it back. */
export class ShownPlans {
  readonly #plans = new Map<string, string | null>();

  /** Remembers the hash of a plan that is about to be shown; null for one with nothing in it. */
  add(hash: string | null): string {
    const name = randomUUID();
    this.#plans.set(name, hash);
    for (const old of [...this.#plans.keys()].slice(0, -keptPlans)) this.#plans.delete(old);
    return name;
  }

  /** The hash of a plan that was shown, null where there was nothing in it, nothing where none was shown under this name. */
  get(name: unknown): string | null | undefined {
    return this.#plans.get(String(name));
  }
}
