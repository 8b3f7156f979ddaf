import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createKernel, definePlugin, fix, usePlugin } from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';

const few = 1_000;
const many = 10_000;

const broken = {
  code: 'THING_BROKEN',
  category: 'system',
  severity: 'recoverable',
  summary: 'A thing is broken',
  suggestedActions: ['things.mend'],
};

/** Things that are broken, each of them found and mended by itself; who wants to hears of each that was. */
function brokenThings(count, onMended = () => undefined) {
  const left = new Set(Array.from({ length: count }, (_, index) => `thing:${index}`));
  const plugin = definePlugin({
    name: 'things',
    apply({ hooks }) {
      hooks.errorCodes.tap('things', (codes) => codes.add(broken));
      hooks.checkers.tap('things', (checkers) =>
        checkers.add({
          name: 'things.whole',
          timeoutMs: 60_000,
          check: ({ pass, fail }) =>
            left.size === 0
              ? pass('whole')
              : [...left].map((target) => fail(broken, { message: `${target} is broken`, target })),
        }),
      );
      hooks.recoverers.tap('things', (recoverers) =>
        recoverers.add({
          name: 'things.mend',
          risk: 'safe',
          handles: [broken],
          plan: ({ findings }) =>
            findings.map(({ check: { target } }) => {
              const description = `Mend ${target}`;
              return { target, action: 'mend', description, reversible: true, resolves: [target] };
            }),
          async apply({ steps }) {
            for (const { target } of steps) {
              left.delete(target);
              onMended(left.size);
            }
          },
        }),
      );
    },
  });
  return { plugin, left };
}

/** A kernel with so many broken things, and a new store. */
function opened(count, dir, onMended) {
  const folder = mkdtempSync(join(dir, 'repairs-'));
  const { plugin, left } = brokenThings(count, onMended);
  const store = createSqliteStore({ dir: folder });
  const kernel = createKernel({ project: { name: 'bench', dir }, plugins: [usePlugin(plugin)], store });
  const close = async () => {
    await kernel.store.close();
    rmSync(folder, { recursive: true });
  };
  return { kernel, left, close };
}

/** A repair of so many things. */
const repairing = (count, dir) => ({
  before: () => opened(count, dir),
  async run(_, { kernel, left, close }) {
    const { signal } = new AbortController();
    await fix(kernel, { agreed: true, planOnly: false, signal });
    if (left.size > 0) throw new Error(`${left.size} things are broken still`);
    return { close };
  },
  after: ({ close }) => close(),
});

/** From the moment at which a repair is told to stop to the end of the last step that was begun; a step blocks for 2 ms. */
async function stopping(dir) {
  const stop = new AbortController();
  let [told, last] = [0, 0];
  const { kernel, left, close } = opened(many, dir, (missing) => {
    const begun = performance.now();
    while (performance.now() < begun + 2);
    last = performance.now();
    if (missing !== many - few) return;
    told = last;
    // As a signal comes: once the process can be reached.
    setImmediate(() => stop.abort());
  });
  await fix(kernel, { agreed: true, planOnly: false, signal: stop.signal }).catch(() => undefined);
  await close();
  if (told === 0 || left.size === 0) throw new Error(`${left.size} things are broken still`);
  return last - told;
}

/** What a repair of many steps costs. */
export default {
  title: 'Repairs',
  about:
    'Things that are broken are found, mended one by one, and looked at again, by a recoverer that does next to nothing. What each step costs is its place in the plan, the budget and the record, in SQLite. Ten times the steps may take ten times as long. And how long after it is told to stop a step still begins, of a recoverer that never gives way.',
  async prepare({ dir }) {
    const [floor, most] = ['1,000 steps', '10,000 steps'];
    return {
      tables: [
        {
          title: 'A repair of many steps',
          unit: 'ms',
          rounds: 5,
          warmUps: 1,
          floor,
          contestants: { [floor]: repairing(few, dir), [most]: repairing(many, dir) },
          bars: [{ of: most, to: floor, most: 10 }],
        },
        {
          title: 'From the signal to the last step of 10,000',
          unit: 'ms',
          rounds: 5,
          warmUps: 1,
          contestants: { argus: () => stopping(dir) },
          bars: [{ of: 'argus', slowest: 200 }],
        },
      ],
    };
  },
};
