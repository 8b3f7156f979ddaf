import * as z from 'zod';
import { narrow } from '../config/narrow.js';
import { parsePath } from '../config/path.js';
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
      changedOnly: z.boolean().default(false).describe('Leave out what is as it is by default'),
    }),
  ),
  output: shown,
  effects: { readOnly: true, destructive: false, idempotent: true },
  async run({ only, changedOnly }, { kernel }) {
    const whole = shownConfig(kernel);
    const part = only === undefined ? whole : narrow(whole, only);
    const { origin } = kernel;
    const { dir } = kernel.project;
    const all = await valueSources(part, origin);
    const sources = changedOnly ? all.filter(({ from }) => from === 'file') : all;
    const config = changedOnly
      ? onlyAt(
          part,
          sources.map(({ path }) => parsePath(path)),
        )
      : { ...part };
    return { file: origin.file, dir, config, sources };
  },
});

/** The parts of a value that lie at these paths, in the lists and objects that they are in. */
function onlyAt(value: object, paths: readonly (string | number)[][]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      const inside = paths.filter(([first]) => String(first) === key).map((path) => path.slice(1));
      if (inside.length === 0) return [];
      const isWhole = Array.isArray(item) || typeof item !== 'object' || item === null;
      return [[key, isWhole ? item : onlyAt(item, inside)]];
    }),
  );
}
