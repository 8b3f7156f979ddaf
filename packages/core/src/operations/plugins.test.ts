import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { projectFolder } from '../config/fixtures/project-folder.js';
import { loadConfig } from '../config/load-config.js';
import { definePlugin } from '../model/plugin.js';
import { buildKernel } from '../testing/build-kernel.js';
import { plugins } from './plugins.js';
import { runOperation } from './run-operation.js';

const source = (name: string) => `export default { name: '${name}', apply() {} };\n`;

describe('plugins', () => {
  it('lists what each plugin registers and taps, and its options after defaults, without secrets', async () => {
    const token = ['very', 'long', 'token', '123'].join('-');
    const licence = definePlugin({
      name: 'licence',
      version: '2.1.0',
      options: z.strictObject({ seats: z.number().default(5), apiToken: z.string() }),
      apply({ hooks }) {
        hooks.errorCodes.tap('x', (codes) =>
          codes.add({
            code: 'SEATS_GONE',
            category: 'system',
            severity: 'fatal',
            summary: 'none',
            suggestedActions: [],
          }),
        );
        hooks.checkers.tap('x', (all) => all.add({ name: 'licence.seats', check: ({ pass }) => pass('ok') }));
        hooks.afterCheck.tapPromise('x', async () => undefined);
      },
    });
    const kernel = buildKernel({ plugins: [[licence, { apiToken: token }]] });
    const envelope = await runOperation(kernel, plugins, {});
    expect(envelope).toMatchObject({ ok: true, data: { plugins: [{ name: 'core' }, { name: 'licence' }] } });
    const own = envelope.ok ? envelope.data.plugins[1] : undefined;
    expect(own).toEqual({
      name: 'licence',
      from: 'code',
      version: '2.1.0',
      codes: ['SEATS_GONE'],
      checkers: ['licence.seats'],
      recoverers: [],
      operations: [],
      runtimes: [],
      hooks: ['afterCheck'],
      options: { seats: 5, apiToken: '[redacted]' },
    });
  });

  it('tells what came along, a package with its version, and a file, with paths from the project', async () => {
    const manifest = { name: 'argusai-plugin-a', version: '3.2.1', type: 'module', exports: './index.js' };
    const dir = projectFolder({
      'argus.config.json': { plugins: ['argusai-plugin-a', './checks/b.mjs', 'c'] },
      'node_modules/argusai-plugin-a/package.json': manifest,
      'node_modules/argusai-plugin-a/index.js': source('a'),
      'checks/b.mjs': source('b'),
    });
    const builtins = { c: async () => definePlugin({ name: 'c', apply: () => undefined }) };
    const { plugins: loaded } = await loadConfig({ cwd: dir, builtins });
    const envelope = await runOperation(buildKernel({ plugins: loaded, dir }), plugins, {});
    expect(envelope).toMatchObject({
      data: {
        plugins: [
          { name: 'core' },
          {
            name: 'a',
            from: 'package',
            package: 'argusai-plugin-a',
            version: '3.2.1',
            path: 'node_modules/argusai-plugin-a/index.js',
          },
          { name: 'b', from: 'file', path: 'checks/b.mjs' },
          { name: 'c', from: 'built-in' },
        ],
      },
    });
  });
});
