import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createCircuits, EventBus, systemClock } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';

const caller = fileURLToPath(new URL('./fixtures/circuit-caller.mjs', import.meta.url));
const NEVER_BY_ITSELF = { failureThreshold: 5, resetTimeoutMs: 3_600_000 };

type Report = { type: 'ready' | 'begun' | 'over'; called: number; refused: number };

async function report(child: ChildProcess, type: Report['type']): Promise<Report> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [Report];
    if (message.type === type) return message;
  }
}

async function start(dir: string, limits: object = NEVER_BY_ITSELF): Promise<ChildProcess> {
  const child = fork(caller, [dir, JSON.stringify(limits)], { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await report(child, 'ready');
  return child;
}

/** One process of its own, as from a shell: it makes one call and is gone. */
async function callOnce(dir: string, outcome: 'answer' | 'fault', limits?: object): Promise<Report> {
  const child = await start(dir, limits);
  const over = report(child, 'over');
  child.send({ calls: 1, outcome });
  const result = await over;
  child.disconnect();
  await once(child, 'exit');
  return result;
}

function circuitOf(dir: string) {
  const store = createSqliteStore({ dir });
  onTestFinished(() => store.close());
  const events = new EventBus(systemClock);
  const config = { enabled: true, ...NEVER_BY_ITSELF };
  const circuits = createCircuits({ store, clock: systemClock, events, config });
  return circuits.define({ name: 'thing', isFault: () => true });
}

describe('a circuit that processes share through a SQLite store', () => {
  it('is opened by five processes in a row with one fault each, and refuses the sixth', async () => {
    const dir = makeFolder();
    for (let i = 0; i < 5; i += 1)
      expect(await callOnce(dir, 'fault')).toMatchObject({ called: 1, refused: 0 });
    expect(await callOnce(dir, 'answer')).toMatchObject({ called: 0, refused: 1 });
    expect(await circuitOf(dir).state()).toMatchObject({ state: 'open', failureCount: 5 });
  });

  it('lets exactly one probe through when four processes ask a hundred times at once', async () => {
    const dir = makeFolder();
    const children = await Promise.all(Array.from({ length: 4 }, () => start(dir)));
    const circuit = circuitOf(dir);
    for (let i = 0; i < 5; i += 1)
      await circuit.execute(() => Promise.reject(new Error('x'))).catch(() => undefined);
    for (let round = 0; round < 3; round += 1) {
      expect(await circuit.reset()).toMatchObject({ previous: 'open', current: 'half-open' });
      const begun = children.map((child) => report(child, 'begun'));
      const over = children.map((child) => report(child, 'over'));
      // The last round holds its probe until everyone else has been refused; a fault in the others opens it again.
      for (const child of children) child.send({ calls: 25, outcome: round < 2 ? 'fault' : 'hold' });
      const reports = await Promise.all(begun);
      const sum = (what: 'called' | 'refused') => reports.reduce((total, one) => total + one[what], 0);
      expect({ called: sum('called'), refused: sum('refused') }).toEqual({ called: 1, refused: 99 });
      if (round === 2) for (const child of children) child.send('release');
      await Promise.all(over);
      expect(await circuit.state()).toMatchObject({ state: round < 2 ? 'open' : 'closed' });
    }
  });

  it('is not blocked for ever by a probe whose process was killed', async () => {
    const dir = makeFolder();
    const limits = { failureThreshold: 1, resetTimeoutMs: 100 };
    const prober = await start(dir, { ...limits, probeTimeoutMs: 500 });
    await callOnce(dir, 'fault', limits);
    await sleep(100);
    const begun = report(prober, 'begun');
    prober.send({ calls: 1, outcome: 'hold' });
    expect(await begun).toMatchObject({ called: 1 });
    prober.kill('SIGKILL');
    await once(prober, 'exit');
    expect(await circuitOf(dir).state()).toMatchObject({ state: 'half-open' });
    const survivor = await start(dir, limits);
    for (;;) {
      const over = report(survivor, 'over');
      survivor.send({ calls: 1, outcome: 'answer' });
      if ((await over).called === 1) break;
      await sleep(50);
    }
    expect(await circuitOf(dir).state()).toMatchObject({ state: 'closed' });
  });
});
