import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CircuitReport, CircuitRequest } from './fixtures/circuit-caller.js';
import { makeFolder } from './fixtures/make-folder.js';

const OPENS_AFTER_FIVE = { failureThreshold: 5, resetTimeoutMs: 3_600_000 };
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Below the package, so that libsql, which cannot be bundled, is found from there.
const cache = pathOf('../node_modules/.cache/');
mkdirSync(cache, { recursive: true });
const bundles = mkdtempSync(join(cache, 'circuit-'));
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

beforeAll(async () => {
  await build({
    config: false,
    silent: true,
    entry: [pathOf('./fixtures/circuit-caller.ts')],
    outDir: bundles,
    format: 'esm',
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    external: ['libsql'],
    noExternal: [/^(?!libsql$)/],
    esbuildOptions(options) {
      options.alias = { '@argusai/core': pathOf('./fixtures/core.ts') };
    },
  });
});

/** A process with a circuit of its own that shares a folder with others. */
class Caller {
  readonly #child: ChildProcess;
  readonly #reports: CircuitReport[] = [];
  #wake = (): void => undefined;
  #ended = false;

  constructor(dir: string, limits: object) {
    this.#child = fork(join(bundles, 'circuit-caller.mjs'), [dir, JSON.stringify(limits)], { execArgv: [] });
    this.#child.on('message', (report: CircuitReport) => {
      this.#reports.push(report);
      this.#wake();
    });
    this.#child.on('exit', () => {
      this.#ended = true;
      this.#wake();
    });
    onTestFinished(() => this.kill());
  }

  ask(request: CircuitRequest): void {
    this.#child.send(request);
  }

  /** The next report of that kind. */
  async told(tell: CircuitReport['tell']): Promise<CircuitReport> {
    for (;;) {
      const index = this.#reports.findIndex((report) => report.tell === tell);
      const [report] = index < 0 ? [] : this.#reports.splice(index, 1);
      if (report) return report;
      if (this.#ended) throw new Error(`The process ended without telling "${tell}"`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async toldTimes(tell: CircuitReport['tell'], times: number): Promise<CircuitReport[]> {
    const reports: CircuitReport[] = [];
    while (reports.length < times) reports.push(await this.told(tell));
    return reports;
  }

  /** Drops what it has told and nobody has asked about. */
  forget(): void {
    this.#reports.length = 0;
  }

  async askState(): Promise<CircuitReport> {
    this.ask({ ask: 'state' });
    return this.told('state');
  }

  /** Lets it end by itself, as a command does when it is done. */
  async leave(): Promise<void> {
    this.#child.disconnect();
    if (!this.#ended) await once(this.#child, 'exit');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (!this.#ended) await once(this.#child, 'exit');
  }
}

async function start(dir: string, limits: object = OPENS_AFTER_FIVE): Promise<Caller> {
  const caller = new Caller(dir, limits);
  await caller.told('ready');
  return caller;
}

/** One process of its own, as from a shell: it makes one call and is gone. */
async function callOnce(dir: string, outcome: 'answer' | 'fault', limits?: object): Promise<CircuitReport> {
  const caller = await start(dir, limits);
  caller.ask({ ask: 'call', calls: 1, outcome });
  const report = await caller.told('over');
  await caller.leave();
  return report;
}

describe('a circuit that processes share through a SQLite store', () => {
  it('is opened by five processes in a row with one fault each, and refuses the sixth', async () => {
    const dir = makeFolder();
    for (let i = 0; i < 5; i += 1) {
      expect(await callOnce(dir, 'fault')).toMatchObject({ called: 1, refused: 0 });
    }
    expect(await callOnce(dir, 'answer')).toMatchObject({ called: 0, refused: 1 });
    const onlooker = await start(dir);
    expect(await onlooker.askState()).toMatchObject({ state: 'open', failureCount: 5 });
  });

  it('lets exactly one probe through when four processes ask a hundred times at once', async () => {
    const dir = makeFolder();
    const [onlooker, ...callers] = await Promise.all(Array.from({ length: 5 }, () => start(dir)));
    onlooker?.ask({ ask: 'call', calls: 5, outcome: 'fault' });
    await onlooker?.told('over');
    for (const outcome of ['fault', 'fault', 'hold'] as const) {
      onlooker?.ask({ ask: 'reset' });
      expect(await onlooker?.told('reset')).toMatchObject({ changed: true });
      // Longer than a process trusts what it last saw, so that all of them see the reset.
      await sleep(300);
      for (const caller of callers) caller.ask({ ask: 'call', calls: 25, outcome });
      const total = (reports: readonly CircuitReport[]) => ({
        called: reports.reduce((sum, { called = 0 }) => sum + called, 0),
        refused: reports.reduce((sum, { refused = 0 }) => sum + refused, 0),
      });
      if (outcome === 'hold') {
        // The probe and those of the other processes are heard of; those of the probe's process wait for it.
        const heard = await Promise.all(callers.map((caller) => caller.told('moved')));
        const others = callers.filter((_, index) => heard[index]?.called === 0);
        for (const caller of others) heard.push(...(await caller.toldTimes('moved', 24)));
        expect(total(heard)).toEqual({ called: 1, refused: 75 });
        for (const caller of callers) caller.ask({ ask: 'release' });
      }
      const ends = await Promise.all(callers.map((caller) => caller.told('over')));
      expect(total(ends)).toEqual(
        outcome === 'hold' ? { called: 25, refused: 75 } : { called: 1, refused: 99 },
      );
      expect(await onlooker?.askState()).toMatchObject({ state: outcome === 'hold' ? 'closed' : 'open' });
      for (const caller of callers) caller.forget();
    }
  });

  it('is not blocked by a probe whose process was killed, however long the probe might have taken', async () => {
    const dir = makeFolder();
    const limits = { failureThreshold: 1, resetTimeoutMs: 100, probeTimeoutMs: 3_600_000 };
    const [prober, survivor] = [await start(dir, limits), await start(dir, limits)];
    await callOnce(dir, 'fault', limits);
    await sleep(limits.resetTimeoutMs);
    prober.ask({ ask: 'call', calls: 1, outcome: 'hold' });
    expect(await prober.told('moved')).toMatchObject({ called: 1 });
    survivor.ask({ ask: 'call', calls: 1, outcome: 'answer' });
    expect(await survivor.told('over')).toMatchObject({ called: 0, refused: 1 });
    await prober.kill();
    expect(await survivor.askState()).toMatchObject({ state: 'half-open' });
    survivor.ask({ ask: 'call', calls: 1, outcome: 'answer' });
    expect(await survivor.told('over')).toMatchObject({ called: 1, refused: 0 });
    expect(await survivor.askState()).toMatchObject({ state: 'closed' });
  });
});
