import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineErrorCode } from '../model/error-code.js';
import { definePlugin } from '../model/plugin.js';
import { runOperation } from '../operations/run-operation.js';
import { createMemoryStore } from '../state/memory-store.js';
import { openForOperation } from './open-for-operation.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'argus-passing-over-'));
});
afterEach(() => rm(dir, { recursive: true }));

const teaCold = defineErrorCode({
  code: 'TEA_COLD',
  category: 'system',
  severity: 'warning',
  summary: 'Cold',
});
const tea = definePlugin({
  name: 'tea',
  options: z.strictObject({ sugar: z.number().default(1) }),
  apply: ({ hooks }) => hooks.errorCodes.tap('tea', (codes) => codes.add(teaCold)),
});

async function run(name: string, input: object, text: string) {
  writeFileSync(join(dir, 'argus.config.yaml'), text);
  const { kernel } = await openForOperation(name, {
    cwd: dir,
    builtins: { tea: async () => tea },
    openStore: () => createMemoryStore(),
    env: { ARGUS_STATE_DIR: '/nowhere' },
  });
  const operation = kernel.operations.get(name);
  return operation && (await runOperation(kernel, operation, input));
}

const own = `export default { name: 'own', apply: ({ hooks }) => hooks.errorCodes.tap('own', (codes) =>
  codes.add({ code: 'OWN_CODE', category: 'system', severity: 'warning', summary: 'Own', suggestedActions: [] })) };`;

describe('what helps to mend a configuration', () => {
  it.each([
    ['a wrong key', 'projct: { name: shop }'],
    ['a broken form', 'services: [}'],
    ['a plugin that is not there', 'plugins: ["./none.mjs"]'],
    ['wrong options', 'plugins: [["tea", { suger: 2 }]]'],
  ])('works without it: %s', async (_, text) => {
    const notices = [
      { code: 'CONFIG_INVALID', message: expect.stringMatching(/^The configuration was passed/) },
    ];
    expect(await run('explain', { name: 'TEA_COLD' }, text)).toMatchObject({
      ok: true,
      data: { code: 'TEA_COLD' },
      notices,
    });
    expect(await run('explain', {}, text)).toMatchObject({ ok: true, notices });
    const schema = await run('schema', {}, text);
    expect(schema).toMatchObject({ ok: true, data: { properties: { services: {} } }, notices });
    expect(JSON.stringify(schema)).toContain('sugar');
    expect(await run('plugins', {}, text)).toMatchObject({
      data: { plugins: [{ name: 'core' }, { name: 'tea' }] },
      notices,
    });
  });

  it('knows the plugins of the configuration that can be loaded', async () => {
    writeFileSync(join(dir, 'own.mjs'), own);
    writeFileSync(join(dir, 'bad.mjs'), 'export default { name: "bad", apply() { throw new Error("no") } };');
    const text = 'projct: 1\nplugins: ["./own.mjs", "./none.mjs"]';
    expect(await run('explain', { name: 'OWN_CODE' }, text)).toMatchObject({ ok: true });
    const broken = 'plugins: ["./own.mjs", "./bad.mjs"]';
    expect(await run('explain', { name: 'TEA_COLD' }, broken)).toMatchObject({
      ok: true,
      notices: [{ code: 'PLUGIN_INVALID' }],
    });
  });
});
