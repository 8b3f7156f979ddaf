import { dirname, sep } from 'node:path';
import { ArgusError, formatDuration, type Kernel, pluginBlocked } from '@argusai/core';
import { placesIn, type Standstill } from './standstill.js';

/** The code of others that runs in this process, and what of it is at work: whoever ends it wants to name it. */
export class CodeAtWork {
  readonly #checks = new Set<string>();
  #kernel: Pick<Kernel, 'plugins' | 'checkers'> | undefined;

  /** A project was opened. */
  opened({ plugins, checkers, events }: Pick<Kernel, 'plugins' | 'checkers' | 'events'>): void {
    this.#kernel = { plugins, checkers };
    events.subscribe(({ type, data }) => {
      if (type === 'preflight_start') for (const name of data.checks) this.#checks.add(name);
      else if (type === 'preflight_check') this.#checks.delete(data.name);
    });
  }

  /** The error of what stood still: whose code it was, what it was at, and where. */
  heldUp({ frames, forMs }: Standstill, own = import.meta.dirname): ArgusError {
    const places = placesIn(frames, own);
    const [first] = places;
    const plugin = places.map(({ file }) => this.#pluginOf(file)).find((name) => name !== undefined);
    const checks = [...this.#checks].filter((name) => this.#kernel?.checkers.ownerOf(name) === plugin);
    const where = first ? `${first.file}:${first.line}` : undefined;
    const who = plugin === undefined ? 'Code' : `The plugin ${plugin}`;
    const during = plugin === undefined || checks.length === 0 ? '' : ` in ${checks.join(' or ')}`;
    const place = where === undefined ? '' : ` at ${where}`;
    const after = formatDuration(Math.round(forMs / 100) * 100);
    return new ArgusError(pluginBlocked, {
      message: `${who}${during}${place} held everything up for ${after} and was ended`,
      details: { plugin: plugin ?? null, checks, where: where ?? null },
    });
  }

  /** The plugin that a file belongs to: its own, or one beside it. */
  #pluginOf(file: string): string | undefined {
    const plugins = this.#kernel?.plugins.filter((one) => one.file !== undefined) ?? [];
    const own = plugins.find((one) => one.file === file);
    const beside = plugins
      .filter((one) => file.startsWith(dirname(one.file ?? '') + sep))
      .sort((one, other) => (other.file?.length ?? 0) - (one.file?.length ?? 0))[0];
    return (own ?? beside)?.plugin.name;
  }
}
