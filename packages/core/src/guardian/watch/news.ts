import { whenAborted } from '../../time/when-aborted.js';
/** Tells that something may have happened, to one who waits for it; what it was, a look must tell. */
export class News {
  #happened = false;
  #wake: () => void = () => undefined;

  /** Something may have happened. */
  tell(): void {
    this.#happened = true;
    this.#wake();
  }

  /** Whatever has happened until now is known. */
  forget(): void {
    this.#happened = false;
  }

  /** Resolves when something has happened since it was last asked. Rejects when the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#happened) {
      await new Promise<void>((resolve, reject) => {
        const release = whenAborted(signal, () => reject(signal.reason));
        this.#wake = () => {
          release();
          resolve();
        };
      });
    }
    this.#happened = false;
  }
}
