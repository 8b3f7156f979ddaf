import type { Kernel } from '../../kernel/kernel.js';

/** How the end of a stage is to be told. */
interface StageWords<Result> {
  /** Whether what was thrown makes it worth another try. */
  readonly isTriedAgain?: (thrown: unknown) => boolean;
  /** Whether there was nothing to do. */
  readonly isIdle?: (result: Result) => boolean;
}

/** Times the stages of a setup and tells of each as it begins and ends. */
export class Stages {
  /** Milliseconds by stage, all tries together. */
  readonly durations: Record<string, number> = {};
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Runs a stage. What makes it worth another try has not failed it yet, and is told as such; so is that there was nothing to do. */
  async run<Result>(
    stage: string,
    work: () => Promise<Result>,
    { isTriedAgain = () => false, isIdle = () => false }: StageWords<Result> = {},
  ): Promise<Result> {
    const { clock, events } = this.#kernel;
    const begun = clock.monotonic();
    events.emit('setup_stage', { stage, state: 'started' });
    let state: 'done' | 'failed' | 'again' = 'done';
    let idle = {};
    try {
      const result = await work();
      if (isIdle(result)) idle = { idle: true };
      return result;
    } catch (thrown) {
      state = isTriedAgain(thrown) ? 'again' : 'failed';
      throw thrown;
    } finally {
      const duration = (this.durations[stage] ?? 0) + Math.round(clock.monotonic() - begun);
      this.durations[stage] = duration;
      events.emit('setup_stage', { stage, state, duration, ...idle });
    }
  }
}
