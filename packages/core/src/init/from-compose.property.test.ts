// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how Compose writes its variables.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.js';
import { initProject } from './init-project.js';

const keys = [
  ...[
    'image',
    'build',
    'command',
    'entrypoint',
    'ports',
    'environment',
    'depends_on',
    'healthcheck',
    'volumes',
  ],
  ...['user', 'mem_limit', 'cpus', 'deploy', 'networks', 'x-own'],
];
const inside = [
  'context',
  'args',
  'test',
  'interval',
  'retries',
  'target',
  'published',
  'source',
  'resources',
  'a',
];
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    'a',
    'b',
    '${X}',
    '${X:-1}',
    '{{x}}',
    '{{vars.x}}',
    '80:80',
    'A=1',
    'CMD',
    '1s',
    '5',
    'a\n- b: c',
  ),
);
const leaf = fc.oneof(word, word, fc.integer(), fc.boolean(), fc.constant(null), fc.double());
const part = fc.oneof(
  leaf,
  fc.array(fc.oneof(leaf, fc.dictionary(fc.constantFrom(...inside), leaf)), { maxLength: 3 }),
  fc.dictionary(
    fc.oneof(word, fc.constantFrom(...inside)),
    fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })),
    {
      maxKeys: 3,
    },
  ),
);
const service = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...keys), part) },
  { weight: 1, arbitrary: part },
);

it('whatever a Compose file says, what is made of it loads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.oneof(word, fc.constantFrom('a', 'b')), service), async (services) => {
      const dir = mkdtempSync(join(tmpdir(), 'argus-init-'));
      try {
        writeFileSync(join(dir, 'compose.yaml'), JSON.stringify({ services }));
        const made = await initProject(dir, {}, false);
        const { config } = await loadConfig({ cwd: dir, builtins: {} });
        expect(Object.keys(config.services).toSorted()).toEqual(
          made.services.map(({ name }) => name).toSorted(),
        );
      } finally {
        rmSync(dir, { recursive: true });
      }
    }),
    { numRuns: 100 },
  );
});
