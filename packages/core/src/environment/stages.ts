import type { Kernel } from '../kernel/kernel.js';

/** Times the stages of a setup and tells of each as it begins and ends. */
export class Stages {
  /** Milliseconds by stage. */
  readonly durations: Record<string, number> = {};
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Runs a stage. */
  async run<Result>(stage: string, work: () => Promise<Result>): Promise<Result> {
    const { clock, events } = this.#kernel;
    const begun = clock.monotonic();
    events.emit('setup_stage', { stage, state: 'started' });
    let state: 'done' | 'failed' = 'failed';
    try {
      const result = await work();
      state = 'done';
      return result;
    } finally {
      const duration = Math.round(clock.monotonic() - begun);
      this.durations[stage] = (this.durations[stage] ?? 0) + duration;
      events.emit('setup_stage', { stage, state, duration });
    }
  }
}
