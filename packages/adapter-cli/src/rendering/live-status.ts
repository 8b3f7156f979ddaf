import type { ResilienceEvent } from '@argusai/core';
import { type ShownStatus, statusLines } from './environment.js';
import type { Line } from './line.js';
import { LiveRegion } from './live-region.js';
import type { LiveSurface, LiveView } from './live-view.js';
import { wrapLines } from './wrap.js';

/** How the services are, on a terminal, drawn again whenever that has changed. */
export class LiveStatus implements LiveView {
  readonly #surface: LiveSurface;
  readonly #region: LiveRegion;
  #lines: readonly Line[] = [];

  constructor(surface: LiveSurface) {
    this.#surface = surface;
    this.#region = new LiveRegion(surface.output, surface.color, surface.links);
  }

  show(event: ResilienceEvent): boolean {
    if (event.type !== 'status_changed') return false;
    const columns = this.#surface.output.columns - 1;
    const lines = statusLines(event.data as unknown as ShownStatus, columns);
    this.#lines = [...wrapLines(lines, columns), [['watching; Ctrl-C ends it', 'dim']]];
    this.#region.draw(this.#lines);
    return true;
  }

  say(text: string): void {
    this.#region.draw([]);
    this.#surface.output.write(text);
    this.#region.draw(this.#lines);
  }

  close(): void {
    this.#region.close();
  }
}
