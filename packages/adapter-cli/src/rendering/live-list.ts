import type { ResilienceEvent } from '@argusai/core';
import type { Output } from '../io.js';
import { checkLines, type ListedCheck } from './check-line.js';
import type { Line } from './line.js';
import { LiveRegion } from './live-region.js';

/** How often waiting is shown to go on, in milliseconds. */
const tickMs = 100;

/** A list of checks on a terminal that shows each result in its place as soon as it is there. */
export class LiveList {
  readonly #region: LiveRegion;
  readonly #timer: NodeJS.Timeout;
  /** The names of the checks that run, in their order. */
  #checks: readonly string[] = [];
  #began = performance.now();
  #results: ListedCheck[] = [];
  #steps: Line[] = [];

  constructor(output: Output, color: boolean) {
    this.#region = new LiveRegion(output, color);
    this.#timer = setInterval(() => this.#draw(), tickMs);
    this.#timer.unref();
  }

  /** Takes in what has happened. */
  show(event: ResilienceEvent): void {
    if (event.type === 'preflight_start') {
      this.#checks = event.data.checks;
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

  /** The results, and what is still awaited, each in its place. */
  #listed(): ListedCheck[] {
    const duration = performance.now() - this.#began;
    return this.#checks.flatMap((name): ListedCheck[] => {
      const results = this.#results.filter((result) => result.name === name);
      return results.length > 0 ? results : [{ name, state: 'running', message: '', duration }];
    });
  }
}
