import { describe, expect, it, onTestFinished } from 'vitest';
import type { StateStore, StoreChange } from '../state/state-store.js';
import { StoreProcess } from './store-process.js';

/** How the contract suite shares a store among processes. */
export interface SharedStore {
  /** A plain JavaScript module that other processes import; it exports `openStore(place)`. */
  readonly module: URL;
  /** Makes a place where nothing is stored yet. */
  makePlace(): string | Promise<string>;
  /** Opens the store at a place, in this process. */
  open(place: string): StateStore | Promise<StateStore>;
  /** Breaks what is stored at a place, for a driver that begins anew when it finds such a thing. */
  damage?(place: string): void | Promise<void>;
  /** Throws when what is stored at a place is damaged. */
  verify?(place: string): void | Promise<void>;
}

const patience = 60_000;

/** The part of the contract that takes several processes. */
export function describeSharedStore(shared: SharedStore): void {
  const start = (program: string, place: string, ...rest: string[]) => {
    const started = new StoreProcess(program, shared.module, place, ...rest);
    onTestFinished(() => started.kill());
    return started;
  };
  const startEight = async (program: string, place: string, ...rest: string[]) => {
    const processes = Array.from({ length: 8 }, () => start(program, place, ...rest));
    await Promise.all(processes.map((process) => process.line(1)));
    for (const process of processes) process.go();
    return Promise.all(processes.map((process) => process.exited()));
  };
  const open = async (place: string) => {
    const store = await shared.open(place);
    onTestFinished(() => store.close());
    return store;
  };

  describe('shared by processes', () => {
    it('is the same store when it is opened again', async () => {
      const place = await shared.makePlace();
      const first = await open(place);
      const id = await first.id();
      await first.append('stream', 1);
      await first.put('namespace', 'key', 1);
      const last = await first.delete('namespace', 'key');
      await first.close();
      const second = await open(place);
      expect(await second.id()).toBe(id);
      expect(await second.read('stream')).toMatchObject([{ value: 1 }]);
      const again = await second.put('namespace', 'key', 1);
      expect(again.stored && last.stored && again.revision > last.revision).toBe(true);
    });

    it('tells watchers what another opener of the store does', async () => {
      const place = await shared.makePlace();
      const [mine, theirs] = [await open(place), await open(place)];
      const changes = mine.watch('namespace', new AbortController().signal)[Symbol.asyncIterator]();
      // The watch has begun when a call that was made after it is answered.
      await mine.get('namespace', 'key');
      await theirs.put('namespace', 'key', { n: 1 });
      const document = await theirs.get('namespace', 'key');
      expect(await nextOf(changes)).toEqual({ type: 'put', document });
      await theirs.put('other', 'key', 1);
      await theirs.delete('namespace', 'key');
      expect(await nextOf(changes)).toEqual({ type: 'delete', namespace: 'namespace', key: 'key' });
      await mine.put('namespace', 'mine', 1);
      expect(await nextOf(changes)).toMatchObject({ type: 'put', document: { key: 'mine' } });
    });

    it(
      'becomes one store when eight processes open a new one at the same moment',
      async () => {
        const place = await shared.makePlace();
        const outputs = await startEight('store-opener.mjs', place);
        const store = await open(place);
        const id = await store.id();
        expect(outputs.map(({ lines }) => lines)).toEqual(outputs.map(() => ['ready', id]));
        expect(await store.list('openers')).toHaveLength(8);
      },
      patience,
    );

    it.runIf(shared.damage)(
      'becomes one new store when eight processes find it damaged at the same moment',
      async () => {
        const place = await shared.makePlace();
        await shared.damage?.(place);
        const outputs = await startEight('store-opener.mjs', place);
        const store = await open(place);
        const id = await store.id();
        expect(outputs.map(({ lines }) => lines)).toEqual(outputs.map(() => ['ready', id]));
        expect(await store.list('openers')).toHaveLength(8);
        // It was damaged once, whoever tells of it.
        expect(store.notices?.().length ?? 0).toBeLessThanOrEqual(1);
        await shared.verify?.(place);
      },
      patience,
    );

    it(
      'loses no update when eight processes increment one document 1,000 times each',
      async () => {
        const place = await shared.makePlace();
        const outputs = await startEight('store-counter.mjs', place, '1000');
        expect(outputs.map(({ lines }) => lines)).toEqual(outputs.map(() => ['ready', 'done']));
        expect((await (await open(place)).get('counters', 'one'))?.value).toBe(8000);
      },
      patience,
    );

    it(
      'keeps every acknowledged write when a process is killed in the middle of writing',
      async () => {
        const place = await shared.makePlace();
        for (const enough of [2, 25, 60, 150, 300]) {
          const writer = start('store-writer.mjs', place, `round ${enough}`);
          await writer.line(1);
          writer.go();
          await writer.line(1 + enough);
          writer.kill();
          const { lines, signal } = await writer.exited();
          expect(signal).toBe('SIGKILL');
          const acknowledged = lines.slice(1).map(Number);
          expect(acknowledged.length).toBeGreaterThanOrEqual(enough);

          const store = await shared.open(place);
          const documents = (await store.list(`round ${enough}`)).map(({ value }) => value);
          const entries = (await store.read(`round ${enough}`)).map(({ value }) => value);
          expect(documents).toEqual(expect.arrayContaining(acknowledged));
          expect(entries.slice(0, acknowledged.length)).toEqual(acknowledged);
          expect(await store.put('after', 'the kill', enough)).toMatchObject({ stored: true });
          await store.close();
          await shared.verify?.(place);
        }
      },
      patience,
    );
  });
}

async function nextOf(changes: AsyncIterator<StoreChange>): Promise<StoreChange | undefined> {
  const { value, done } = await changes.next();
  return done ? undefined : value;
}
