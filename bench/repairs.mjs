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

/** Things that are broken, each of them found and mended by itself. */
function brokenThings(count) {
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
            for (const { target } of steps) left.delete(target);
          },
        }),
      );
    },
  });
  return { plugin, left };
}

/** A repair of so many things, with a new store. */
const repairing = (count, dir) => ({
  before() {
    const folder = mkdtempSync(join(dir, 'repairs-'));
    const { plugin, left } = brokenThings(count);
    const store = createSqliteStore({ dir: folder });
    const kernel = createKernel({ project: { name: 'bench', dir }, plugins: [usePlugin(plugin)], store });
    return { kernel, left, folder };
  },
  async run(_, { kernel, left, folder }) {
    const { signal } = new AbortController();
    await fix(kernel, { agreed: true, planOnly: false, signal });
    if (left.size > 0) throw new Error(`${left.size} things are broken still`);
    return { kernel, folder };
  },
  async after({ kernel, folder }) {
    await kernel.store.close();
    rmSync(folder, { recursive: true });
  },
});

/** What a repair of many steps costs. */
export default {
  title: 'Repairs',
  about:
    'Things that are broken are found, mended one by one, and looked at again, by a recoverer that does next to nothing. What each step costs is its place in the plan, the budget and the record, in SQLite. Ten times the steps may take ten times as long.',
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
      ],
    };
  },
};
