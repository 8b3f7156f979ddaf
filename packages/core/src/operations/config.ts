import * as z from 'zod';
import { narrow } from '../config/narrow.js';
import { shownConfig } from '../config/shown-config.js';
import { valueSources } from '../config/value-sources.js';
import { defineOperation } from '../model/operation.js';

const shown = z.lazy(() =>
  z.object({
    file: z.string().nullable().describe('The configuration file; null when there is none'),
    dir: z.string().describe("The project's folder: what is relative in the configuration is seen from it"),
    config: z
      .record(z.string(), z.unknown())
      .describe('With its defaults; sizes in bytes, durations in milliseconds'),
    sources: z
      .array(
        z.object({
          path: z.string().describe('Such as services.api.ports[0].host'),
          from: z.enum(['file', 'default']),
          line: z.number().optional(),
          written: z.string().optional().describe('How it is written where that is not what it became'),
        }),
      )
      .describe('Where each value comes from'),
  }),
);

/** A configuration, as it is shown. */
export type ShownConfig = z.output<typeof shown>;

/** Shows the configuration that is in use. */
export const config = defineOperation({
  name: 'config',
  summary: 'Show the configuration in use, and where each value comes from',
  description:
    'Shows every value with the line of the file that says it, or as a default. Secrets are removed. It changes nothing; argus plugins ' +
    'shows the options of plugins with their defaults.',
  guidance:
    'Name a part with only to keep the answer short. After you have changed the file, call {preflight-check}.',
  input: z.lazy(() =>
    z.strictObject({
      only: z.string().optional().describe('A section or a part of one, such as services or services.api'),
    }),
  ),
  output: shown,
  effects: { readOnly: true, destructive: false, idempotent: true },
  async run({ only }, { kernel }) {
    const all = shownConfig(kernel);
    const part = only === undefined ? all : narrow(all, only);
    const { origin } = kernel;
    const { dir } = kernel.project;
    return { file: origin.file, dir, config: { ...part }, sources: await valueSources(part, origin) };
  },
});
