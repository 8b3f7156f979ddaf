import type { ResilienceEvent } from '@argusai/core';
import type { Output } from '../io.js';
import { checkLines, type ListedCheck } from './check-line.js';
import type { Line } from './line.js';
import { LiveRegion } from './live-region.js';

/** How often waiting is shown to go on, in milliseconds. */
const tickMs = 100;

/** What a live list is made for. */
export interface LiveListOptions {
  readonly color: boolean;
  /** The names of all checks, to show which of them are still awaited. */
  readonly known: readonly string[];
}

/** A list of checks on a terminal that shows each result in its place as soon as it is there. */
export class LiveList {
  readonly #region: LiveRegion;
  readonly #known: readonly string[];
  readonly #timer: NodeJS.Timeout;
  #total = 0;
  #began = performance.now();
  #results: ListedCheck[] = [];
  #steps: Line[] = [];

  constructor(output: Output, { color, known }: LiveListOptions) {
    this.#region = new LiveRegion(output, color);
    this.#known = known;
    this.#timer = setInterval(() => this.#draw(), tickMs);
    this.#timer.unref();
  }

  /** Takes in what has happened. */
  show(event: ResilienceEvent): void {
    if (event.type === 'preflight_start') {
      this.#total = event.data.checks;
      this.#began = performance.now();
      this.#results = [];
    } else if (event.type === 'preflight_check') {
      const { status, ...check } = event.data;
      this.#results.push({ ...check, state: status });
    } else if (event.type === 'recovery_step') {
      const { action, target, state, message } = event.data;
      this.#steps.push([[`${state} `, 'cyan'], `${action} ${target}: ${message}`]);
    } else {
      return;
    }
    this.#draw();
  }

  /** Takes the list away, so that the result can be shown. */
  close(): void {
    clearInterval(this.#timer);
    this.#region.close();
  }

  #draw(): void {
    this.#region.draw([...checkLines(this.#listed(), true), ...this.#steps]);
  }

  /** The results, and what is still awaited: by name where all checks run, else by number. */
  #listed(): ListedCheck[] {
    const done = new Set(this.#results.map(({ name }) => name));
    const waiting = this.#total - done.size;
    if (waiting <= 0) return this.#results;
    const running = { state: 'running' as const, message: '', duration: performance.now() - this.#began };
    if (this.#total !== this.#known.length) {
      return [...this.#results, { name: `${waiting} more`, ...running }];
    }
    return this.#known.flatMap((name): ListedCheck[] =>
      done.has(name) ? this.#results.filter((result) => result.name === name) : [{ name, ...running }],
    );
  }
}
