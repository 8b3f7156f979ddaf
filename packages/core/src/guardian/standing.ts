import { whenAborted } from '../time/when-aborted.js';
/** Whether a service can be counted on by those that need it. */
export class Standing {
  #isUp = true;
  readonly #waiting = new Set<() => void>();

  /** Whether nobody is bringing it back. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** It failed and is being brought back. */
  down(): void {
    this.#isUp = false;
  }

  /** It is back, or nobody will bring it back. */
  up(): void {
    this.#isUp = true;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves when it is not being brought back. */
  async settled(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isUp) return;
    await new Promise<void>((resolve, reject) => {
      const release = whenAborted(signal, () => reject(signal.reason));
      this.#waiting.add(() => {
        release();
        resolve();
      });
    });
  }
}
