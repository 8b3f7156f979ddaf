import type { ResilienceEvent } from '@argusai/core';
import type { LiveRegion } from '../live/live-region.js';
import { spinnerAt, spinnerMs } from '../live/spinner.js';
import type { Line } from '../text/line.js';

/** One line on a terminal that says what is going on, for work whose result is told in the end. */
export class RepairStatus {
  readonly #openRegion: () => LiveRegion;
  readonly #timer: NodeJS.Timeout;
  #region: LiveRegion | undefined;
  #text: string | undefined;
  #elapsed = 0;
  #checks = 0;
  #done = new Set<string>();
  /** Whether something was repaired already, so that checks prove it. */
  #isProof = false;

  constructor(openRegion: () => LiveRegion) {
    this.#openRegion = openRegion;
    this.#timer = setInterval(() => {
      this.#elapsed += spinnerMs;
      this.#draw();
    }, spinnerMs);
    this.#timer.unref();
  }

  /** Takes in what has happened. */
  show(event: ResilienceEvent): void {
    if (event.type === 'preflight_start') {
      this.#checks = event.data.checks.length;
      this.#done = new Set();
    } else if (event.type === 'preflight_check') {
      this.#done.add(event.data.name);
    } else if (event.type === 'recovery_step') {
      this.#isProof = true;
      const { action, target, state } = event.data;
      if (state === 'started') this.#say(`${action} ${target}`);
      return;
    } else {
      return;
    }
    this.#say(`${this.#isProof ? 'checking again' : 'checking'}: ${this.#done.size} of ${this.#checks} done`);
  }

  /** Takes the line away, so that something else can be said; the next thing that happens brings it back. */
  pause(): void {
    this.#text = undefined;
    this.#region?.close();
    this.#region = undefined;
  }

  /** Takes the line away for good. */
  close(): void {
    clearInterval(this.#timer);
    this.pause();
  }

  #say(text: string): void {
    this.#text = text;
    this.#draw();
  }

  #draw(): void {
    if (this.#text === undefined) return;
    this.#region ??= this.#openRegion();
    const line: Line = [[spinnerAt(this.#elapsed), 'cyan'], ' ', this.#text];
    this.#region.draw([line]);
  }
}
