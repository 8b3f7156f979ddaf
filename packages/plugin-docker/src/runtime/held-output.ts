import type { Clock } from '@argusai/core';

/** After so long, in milliseconds, a build does more than look into its cache. */
const patienceMs = 2_000;

/** The steps of a build that make something, and those that came from the cache, in the words of both builders. */
const step = /^#\d+ \[(?:\S+ )?(\d+)\/\d+\]|^Step (\d+)\/\d+ :/;
const cached = /^#\d+ CACHED$|^ ?---> Using cache$/;
const working = /^#\d+ \d+\.\d+ |^ ?---> Running in /;

/**
 * Holds back the output of a build for as long as all of it may come from the cache: then there is nothing to tell. What it says
 * when it works is told as it comes.
 */
export class HeldOutput {
  readonly #tell: (line: string) => void;
  readonly #cancel: () => void;
  #held: string[] | undefined = [];
  #steps = 0;
  #cached = 0;

  constructor(tell: (line: string) => void, clock: Clock) {
    this.#tell = tell;
    // Also when no other line comes.
    this.#cancel = clock.after(patienceMs, () => this.#release());
  }

  /** Takes a line. */
  add(line: string): void {
    if (!this.#held) {
      this.#tell(line);
      return;
    }
    this.#held.push(line);
    const found = step.exec(line);
    // The first is the image that it begins with, which nobody makes.
    if (found && Number(found[1] ?? found[2]) > 1) this.#steps += 1;
    if (cached.test(line)) this.#cached += 1;
    if (working.test(line)) this.#release();
  }

  /** Tells what was held back, unless all of it came from the cache. */
  end(isFine: boolean): void {
    this.#cancel();
    const isCached = isFine && this.#steps > 0 && this.#cached >= this.#steps;
    if (!isCached) this.#release();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) this.#tell(line);
  }
}
