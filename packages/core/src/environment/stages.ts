import type { Kernel } from '../kernel/kernel.js';

/** Times the stages of a setup and tells of each as it begins and ends. */
export class Stages {
  /** Milliseconds by stage, all tries together. */
  readonly durations: Record<string, number> = {};
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Runs a stage. What makes it worth another try has not failed it yet, and is told as such. */
  async run<Result>(
    stage: string,
    work: () => Promise<Result>,
    isTriedAgain: (thrown: unknown) => boolean = () => false,
  ): Promise<Result> {
    const { clock, events } = this.#kernel;
    const begun = clock.monotonic();
    events.emit('setup_stage', { stage, state: 'started' });
    let state: 'done' | 'failed' | 'again' = 'done';
    try {
      return await work();
    } catch (thrown) {
      state = isTriedAgain(thrown) ? 'again' : 'failed';
      throw thrown;
    } finally {
      const duration = (this.durations[stage] ?? 0) + Math.round(clock.monotonic() - begun);
      this.durations[stage] = duration;
      events.emit('setup_stage', { stage, state, duration });
    }
  }
}
