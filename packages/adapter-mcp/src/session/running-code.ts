import type { Kernel, ResilienceEvent } from '@argusai/core';
import type { UnderWay } from '../supervision/messages.js';
import type { Call } from './call.js';

/** A plugin that is loaded, and the checks that it has registered. */
export interface LoadedCode {
  readonly name: string;
  readonly file?: string;
  readonly checks: readonly string[];
}

/** What has become another one: the loaded plugins, the checks at work, the tools that are changing something. */
export type CodeChange =
  | { readonly plugins: readonly LoadedCode[] }
  | { readonly checks: readonly string[] }
  | { readonly changing: readonly string[] }
  | { readonly underWay: UnderWay };

/** Which code of others is loaded and what is at work: who ends this process because it stands still wants to name it. */
export class RunningCode {
  readonly #checks = new Set<string>();
  readonly #changing = new Set<Call>();
  /** Is told before any of it runs. */
  onChange: (change: CodeChange) => void = () => undefined;

  opened({ plugins, checkers }: Pick<Kernel, 'plugins' | 'checkers'>): void {
    const names = checkers.values().map(({ name }) => name);
    this.onChange({
      plugins: plugins.map(({ plugin: { name }, file }) => ({
        name,
        ...(file === undefined ? {} : { file }),
        checks: names.filter((one) => checkers.ownerOf(one) === name),
      })),
    });
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

  hear({ type, data }: ResilienceEvent): void {
    if (type === 'preflight_start') for (const name of data.checks) this.#checks.add(name);
    else if (type === 'preflight_check') this.#checks.delete(data.name);
    else if (type === 'preflight_end') this.#checks.clear();
    else return;
    this.onChange({ checks: [...this.#checks] });
  }
}
