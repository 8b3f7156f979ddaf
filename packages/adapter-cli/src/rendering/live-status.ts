import type { ResilienceEvent } from '@argusai/core';
import { LiveRegion } from './live-region.js';
import type { LiveSurface, LiveView } from './live-view.js';
import { type ShownStatus, statusLines } from './status.js';
import { wrapLines } from './wrap.js';

/** How the services are, on a terminal, drawn again whenever that has changed. */
export class LiveStatus implements LiveView {
  readonly #surface: LiveSurface;
  readonly #region: LiveRegion;

  constructor(surface: LiveSurface) {
    this.#surface = surface;
    this.#region = new LiveRegion(surface.output, surface.look);
  }

  show(event: ResilienceEvent): boolean {
    if (event.type !== 'status_changed') return false;
    const columns = this.#surface.output.columns - 1;
    const lines = statusLines(event.data as unknown as ShownStatus, columns);
    this.#region.draw([...wrapLines(lines, columns), [['watching; Ctrl-C ends it', 'dim']]]);
    return true;
  }

  close(): void {
    this.#region.close();
  }

  drop(): void {
    this.close();
  }
}
