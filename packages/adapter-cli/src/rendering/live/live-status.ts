import type { ResilienceEvent } from '@argusai/core';
import { type ShownStatus, statusIn, statusLines } from '../results/status.js';
import { wrapLines } from '../text/wrap.js';
import { LiveRegion } from './live-region.js';
import type { LiveSurface, LiveView } from './live-view.js';

/** How the services are, on a terminal, drawn again whenever that or the size of the terminal has changed. */
export class LiveStatus implements LiveView {
  readonly #surface: LiveSurface;
  readonly #region: LiveRegion;
  readonly #stopListening: (() => void) | undefined;
  #status: ShownStatus | undefined;

  constructor(surface: LiveSurface) {
    this.#surface = surface;
    this.#region = new LiveRegion(surface.output, surface.look);
    this.#stopListening = surface.output.onResize?.(() => this.#draw());
  }

  show(event: ResilienceEvent): boolean {
    const status = statusIn(event);
    if (!status) return false;
    this.#status = status;
    this.#draw();
    return true;
  }

  #draw(): void {
    if (!this.#status) return;
    const columns = this.#surface.output.columns - 1;
    const lines = statusLines(this.#status, columns);
    this.#region.draw([...wrapLines(lines, columns), [['watching; Ctrl-C ends it', 'dim']]]);
  }

  close(): void {
    this.#stopListening?.();
    this.#region.close();
  }

  drop(): void {
    this.close();
  }
}
