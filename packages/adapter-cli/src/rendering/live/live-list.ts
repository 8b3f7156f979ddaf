import type { Kernel, ResilienceEvent } from '@argusai/core';
import type { Output } from '../../io.js';
import { type CheckRow, checkRow, type LookedAt } from '../health/check-row.js';
import { checkTable } from '../health/check-table.js';
import { type CheckGroup, checkTree } from '../health/check-tree.js';
import type { Line } from '../text/line.js';
import { took } from '../text/took.js';
import type { LiveRegion } from './live-region.js';
import { spinnerAt, spinnerMs } from './spinner.js';

/** What a list needs to know of those that check. */
export type ListScene = Pick<Kernel, 'checkers' | 'clock'>;

/** A list of checks on a terminal that shows each result in its place as soon as it is there. */
export class LiveList {
  readonly #scene: ListScene;
  readonly #output: Output;
  readonly #region: LiveRegion;
  readonly #timer: NodeJS.Timeout;
  #groups: readonly CheckGroup[] = [];
  #names: ReadonlySet<string> = new Set();
  /** When each checker could begin. */
  #begun = new Map<string, number>();
  #results = new Map<string, LookedAt[]>();
  #start = 0;
  #steps: Line[] = [];
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(scene: ListScene, output: Output, region: LiveRegion) {
    this.#scene = scene;
    this.#output = output;
    this.#region = region;
    this.#timer = setInterval(() => this.#draw(), spinnerMs);
    this.#timer.unref();
  }

  /** Takes in what has happened. */
  show(event: ResilienceEvent): void {
    if (event.type === 'preflight_start') {
      this.#begin(event.data.checks);
    } else if (event.type === 'preflight_check') {
      const { name, status, message, duration } = event.data;
      this.#results.set(name, [...(this.#results.get(name) ?? []), { status, message, duration }]);
      this.#letBegin(name);
      // However many results come at once, people see no more than so many pictures.
      if (this.#scene.clock.monotonic() - this.#drawnAt < spinnerMs / 2) return;
    } else if (event.type === 'recovery_step') {
      const { action, target, state, message } = event.data;
      this.#steps.push([[`${state} `, 'cyan'], `${action} ${target}: ${message}`]);
    } else {
      return;
    }
    this.#draw();
  }

  /** Ends with these lines in its place; without any, with the list as it is. */
  finish(lines?: readonly Line[]): void {
    clearInterval(this.#timer);
    const own = [...this.#table(), ...this.#steps];
    this.#region.finish(lines ?? (own.length === 0 ? [] : [...own, []]));
  }

  #begin(names: readonly string[]): void {
    const { checkers, clock } = this.#scene;
    if (names.every((name) => this.#names.has(name))) {
      // Some are checked again after a repair, and stay where they are.
      for (const name of names) {
        this.#begun.set(name, clock.monotonic());
        this.#results.delete(name);
      }
      return;
    }
    const plugin = (name: string) => checkers.ownerOf(name) ?? 'core';
    this.#groups = checkTree(
      names.map((name) => ({ name, plugin: plugin(name), requires: checkers.get(name)?.requires ?? [] })),
    );
    this.#names = new Set(names);
    this.#start = clock.monotonic();
    this.#begun = new Map();
    this.#results = new Map();
    this.#letBegin();
  }

  /** Notes who has nothing more to wait for, since this one is done. */
  #letBegin(done?: string): void {
    const { checkers, clock } = this.#scene;
    for (const name of this.#names) {
      const required = checkers.get(name)?.requires ?? [];
      if (done !== undefined && !required.includes(done)) continue;
      const isFree = required.every((one) => !this.#names.has(one) || this.#isGood(one));
      if (isFree && !this.#begun.has(name)) this.#begun.set(name, clock.monotonic());
    }
  }

  /** Whether others that need it can begin. */
  #isGood(name: string): boolean {
    const results = this.#results.get(name);
    return results?.every(({ status }) => status === 'pass' || status === 'warn') ?? false;
  }

  #draw(): void {
    if (this.#groups.length === 0) return;
    this.#drawnAt = this.#scene.clock.monotonic();
    this.#region.draw([...this.#table(), ...this.#steps, [], this.#progress()]);
  }

  #table(): Line[] {
    const look = { columns: this.#output.columns, spinner: spinnerAt(this.#elapsed()) };
    return checkTable(this.#groups, (name) => this.#row(name), look);
  }

  #row(name: string): CheckRow {
    const results = this.#results.get(name);
    if (results) return checkRow(results);
    const begun = this.#begun.get(name);
    if (begun === undefined) return { state: 'waiting', message: '' };
    return { state: 'running', message: '', duration: this.#scene.clock.monotonic() - begun };
  }

  /** How far it is, and who is waited for; also where the list has no room. */
  #progress(): Line {
    const awaited = [...this.#names].find((name) => this.#begun.has(name) && !this.#results.has(name));
    const counts = `${this.#results.size} of ${this.#names.size} done, ${took(this.#elapsed())}`;
    return [[`${counts}${awaited === undefined ? '' : `, waiting for ${awaited}`}`, 'dim']];
  }

  #elapsed(): number {
    return this.#scene.clock.monotonic() - this.#start;
  }
}
