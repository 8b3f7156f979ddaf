import type { ResilienceEvent } from '../events/events.js';
import type { Kernel } from '../kernel/kernel.js';

/** A plugin that is loaded, and the checks that it has registered. */
export interface LoadedCode {
  readonly name: string;
  readonly file?: string;
  readonly checks: readonly string[];
}

/** The code of others that runs in this process, and what of it is at work: whoever ends it wants to name it. */
export class CodeAtWork {
  readonly #checks = new Set<string>();
  #plugins: readonly LoadedCode[] = [];

  get plugins(): readonly LoadedCode[] {
    return this.#plugins;
  }

  /** The checks that are at work. */
  get checks(): readonly string[] {
    return [...this.#checks];
  }

  /** A project was opened. */
  opened({ plugins, checkers }: Pick<Kernel, 'plugins' | 'checkers'>): void {
    const names = checkers.values().map(({ name }) => name);
    this.#plugins = plugins.map(({ plugin: { name }, file }) => ({
      name,
      ...(file === undefined ? {} : { file }),
      checks: names.filter((one) => checkers.ownerOf(one) === name),
    }));
  }

  /** Says whether other checks are at work by an event. */
  hear({ type, data }: ResilienceEvent): boolean {
    if (type === 'preflight_start') for (const name of data.checks) this.#checks.add(name);
    else if (type === 'preflight_check') this.#checks.delete(data.name);
    else if (type === 'preflight_end') this.#checks.clear();
    else return false;
    return true;
  }
}
