import type { ResilienceEvent } from '@argusai/core';
import { LiveRegion } from '../live/live-region.js';
import type { LiveSurface, LiveView } from '../live/live-view.js';
import { spinnerMs } from '../live/spinner.js';
import { type Line, paint } from '../text/line.js';
import { wrapLines } from '../text/wrap.js';
import { BuildWindow } from './build-window.js';
import { progressTable } from './progress-table.js';
import { SetupState } from './setup-state.js';

/** How many lines at least are left for what a build prints, where there are many services. */
const windowRoom = 4;

/** A setup or a build on a terminal: a line for each service in its place, and below what the build prints that goes on. */
export class LiveSetup implements LiveView {
  readonly #surface: LiveSurface;
  readonly #region: LiveRegion;
  readonly #timer: NodeJS.Timeout;
  readonly #state = new SetupState();
  readonly #build = new BuildWindow();
  #isOpen = true;
  /** Whether it is over for a part of the work only, such as the tests that follow. */
  readonly #leaves: boolean;

  /** With `leaves`, the table stays when all went well. */
  constructor(surface: LiveSurface, { leaves = false }: { readonly leaves?: boolean } = {}) {
    this.#surface = surface;
    this.#leaves = leaves;
    this.#region = new LiveRegion(surface.output, surface.look);
    this.#timer = setInterval(() => this.#draw(), spinnerMs);
    this.#timer.unref();
  }

  show(event: ResilienceEvent): boolean {
    if (!this.#isOpen) return false;
    if (event.type === 'suite_start') {
      // From here on the terminal belongs to the tests.
      this.close(true);
      return false;
    }
    const isTaken = this.#takeOutput(event) || this.#state.take(event, this.#surface.now());
    if (isTaken) this.#draw();
    return isTaken || this.#isOwnRemoval(event);
  }

  close(isFine: boolean): void {
    if (!this.#isOpen) return;
    this.drop();
    const { output, look } = this.#surface;
    const columns = output.columns - 1;
    const table = isFine && !this.#leaves ? [] : this.#table(Number.POSITIVE_INFINITY, true);
    const tail = isFine ? [] : wrapLines(this.#build.tail(), columns);
    output.write(paint([...table, ...tail], look));
  }

  drop(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#timer);
    this.#region.close();
  }

  /** What a build prints, and that it is over. */
  #takeOutput(event: ResilienceEvent): boolean {
    if (event.type === 'build_output') {
      this.#build.add(event.data.service, event.data.line);
      return true;
    }
    if (event.type === 'service_state' && event.data.state === 'built') this.#build.clear();
    return false;
  }

  /** What was started and is removed again is told of in its place. What others left is removed while checks are made. */
  #isOwnRemoval(event: ResilienceEvent): boolean {
    const isRemoved = event.type === 'cleanup_resource' && event.data.action === 'removed';
    return isRemoved && this.#state.stage('checks')?.state === 'done';
  }

  #draw(): void {
    if (!this.#isOpen) return;
    const { rows } = this.#surface.output;
    const table = this.#table(rows - 1 - (this.#build.service === undefined ? 0 : windowRoom), false);
    this.#region.draw([...table, ...this.#build.window(rows - 1 - table.length)]);
  }

  #table(rows: number, isOver: boolean): Line[] {
    const { output, now } = this.#surface;
    // The last column stays free: some terminals break the line there.
    return progressTable(this.#state, { now: now(), columns: output.columns - 1, rows, isOver });
  }
}
