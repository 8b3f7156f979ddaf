import * as z from 'zod';
import { defineOperation } from '../model/operation.js';
import { originOf } from '../plugins/plugin-origin.js';
import { registrationsOf } from '../plugins/registrations.js';

const names = () => z.array(z.string());

const listedPlugin = z.lazy(() =>
  z.object({
    name: z.string(),
    from: z.enum(['core', 'built-in', 'package', 'file', 'code']),
    package: z.string().optional().describe('The name of the package'),
    version: z.string().optional(),
    path: z.string().optional().describe('The file that it was loaded from, relative to the project'),
    codes: names().describe('The error codes that it declares'),
    checkers: names(),
    recoverers: names(),
    operations: names(),
    runtimes: names(),
    hooks: names().describe('The hooks that it taps besides'),
    options: z.unknown().describe('Its options with their defaults, without secrets'),
  }),
);

/** A plugin, as it is listed. */
export type ListedPlugin = z.output<typeof listedPlugin>;

/** Lists the loaded plugins. */
export const plugins = defineOperation({
  name: 'plugins',
  summary: 'List the loaded plugins, where they come from and what they bring',
  description:
    'Shows for each plugin its package or file, what it registers, and its options with their defaults. It changes nothing.',
  guidance: 'Call it to see which checkers and recoverers there are.',
  input: z.lazy(() => z.strictObject({})),
  output: z.lazy(() => z.object({ plugins: z.array(listedPlugin) })),
  effects: { readOnly: true, destructive: false, idempotent: true },
  needsConfig: 'or-plugins',
  run: async (_input, { kernel }) => ({
    plugins: kernel.plugins.map((loaded) => ({
      name: loaded.plugin.name,
      ...originOf(loaded, kernel.project),
      ...registrationsOf(kernel, loaded.plugin.name),
      options: loaded.options,
    })),
  }),
});
