import type { OpenProject } from '@argusai/core';

/** Guards a run until the signal aborts or the run is over. */
export type Guarding = (signal: AbortSignal) => Promise<unknown>;

interface Guard {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** The runs that this process guards: what it has set up, one for each folder. */
export class Guards {
  readonly #log: (line: string) => void;
  readonly #guards = new Map<string, Guard>();

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Guards the run of a project from now on, instead of the one before it. The project is closed when that is over. */
  begin({ kernel, close }: OpenProject, guard: Guarding): void {
    const { dir } = kernel.project;
    const before = this.#guards.get(dir);
    before?.stop.abort();
    const stop = new AbortController();
    const text = (thrown: unknown) => kernel.redactor.text(String(thrown));
    const guarding = async () => {
      await before?.done;
      await guard(stop.signal);
    };
    const done = guarding()
      .catch((thrown: unknown) => this.#log(`the guardian of ${dir} has ended: ${text(thrown)}`))
      .then(close)
      .catch((thrown: unknown) => this.#log(`${dir} could not be closed: ${text(thrown)}`))
      .then(() => {
        if (this.#guards.get(dir)?.stop === stop) this.#guards.delete(dir);
      });
    this.#guards.set(dir, { stop, done });
  }

  /** The folders of the projects whose runs are guarded. */
  get folders(): readonly string[] {
    return [...this.#guards.keys()];
  }

  /** Leaves every post. */
  async end(): Promise<void> {
    const all = [...this.#guards.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ done }) => done));
  }
}
