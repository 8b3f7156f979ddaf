import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StateStore, StoredDocument, WriteCondition } from '../../state/state-store.js';
import type { StateStoreDriver } from '../state-store-contract.js';
import { opened } from './opened.js';

type Model = Map<string, { value: number; revision: number }>;

// Which revision a write asks for: none, the right one, one from before, or that there be no document.
type Asked = 'nothing' | 'current' | 'stale' | 'absent';

const step = fc.record({
  action: fc.constantFrom('put', 'put', 'delete', 'get', 'list'),
  key: fc.constantFrom('a', 'b', 'c'),
  asked: fc.constantFrom<Asked>('nothing', 'current', 'stale', 'absent'),
});

/** Any sequence of calls leaves what a plain map would hold. */
export function describeModel(driver: StateStoreDriver): void {
  it('behaves like a map with revisions under any sequence of calls', async () => {
    const { store } = await opened(driver);
    let runs = 0;
    let newest = -1;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        runs += 1;
        const namespace = `run ${runs}`;
        const model: Model = new Map();
        for (const [value, { action, key, asked }] of steps.entries()) {
          const known = model.get(key);
          const condition = conditionFor(asked, known?.revision);
          const holds =
            condition.ifRevision === undefined || condition.ifRevision === (known?.revision ?? 'absent');
          if (action === 'get') expect(inShort(await store.get(namespace, key))).toEqual(known);
          else if (action === 'list') await expectSame(store, namespace, model);
          else {
            const isPut = action === 'put';
            const write = isPut
              ? store.put(namespace, key, value, condition)
              : store.delete(namespace, key, condition);
            const result = await write;
            expect(result.stored).toBe(holds);
            if (!result.stored) expect(inShort(result.current)).toEqual(known);
            else {
              if (isPut || known) expect(result.revision).toBeGreaterThan(newest);
              newest = result.revision;
              if (isPut) model.set(key, { value, revision: result.revision });
              else model.delete(key);
            }
          }
        }
        await expectSame(store, namespace, model);
      }),
      { numRuns: 60 },
    );
  });
}

function conditionFor(asked: Asked, revision: number | undefined): WriteCondition {
  if (asked === 'nothing') return {};
  if (asked === 'absent') return { ifRevision: 'absent' };
  const wanted = asked === 'current' ? revision : (revision ?? 1) - 1;
  return wanted === undefined ? {} : { ifRevision: wanted };
}

async function expectSame(store: StateStore, namespace: string, model: Model): Promise<void> {
  const listed = (await store.list(namespace)).map((document) => [document.key, inShort(document)]);
  expect(listed).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inShort(document: StoredDocument | undefined) {
  return document && { value: document.value, revision: document.revision };
}
