import { CodeAtWork, type Kernel, type ResilienceEvent } from '@argusai/core';
import type { CodeChange } from '../supervision/messages.js';
import type { Call } from './call.js';

/** Tells which code of others is loaded and what is at work: who ends this process because it stands still wants to name it. */
export class RunningCode {
  readonly #code = new CodeAtWork();
  readonly #changing = new Set<Call>();
  /** Is told before any of it runs. */
  onChange: (change: CodeChange) => void = () => undefined;

  opened(kernel: Pick<Kernel, 'plugins' | 'checkers'>): void {
    this.#code.opened(kernel);
    this.onChange({ plugins: this.#code.plugins });
  }

  /** Notes that a call is about to change something, until it is done. */
  changes(call: Call, done: Promise<unknown>): void {
    const tell = () => this.onChange({ changing: [...this.#changing].map(({ tool }) => tool) });
    this.#changing.add(call);
    tell();
    void done.then(() => {
      this.#changing.delete(call);
      tell();
    });
  }

  hear(event: ResilienceEvent): void {
    if (this.#code.hear(event)) this.onChange({ checks: this.#code.checks });
  }
}
