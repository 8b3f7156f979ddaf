import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isArgusError } from '../model/argus-error.js';
import { definePlugin, type Plugin } from '../model/plugin.js';
import { duration } from './duration.js';
import { parsePluginOptions, usePlugin } from './plugin-options.js';

const waiting = definePlugin({
  name: 'waiting',
  options: z.strictObject({ delay: duration().default('2s') }),
  apply: () => undefined,
});
const bare = definePlugin({ name: 'bare', apply: () => undefined });

describe('the options of a plugin', () => {
  it('are parsed by its schema, with its defaults when there are none', () => {
    expect(usePlugin(waiting)).toEqual({ plugin: waiting, options: { delay: 2000 }, source: 'code' });
    expect(usePlugin(waiting, { delay: '1m' }, './x.ts')).toMatchObject({
      options: { delay: 60_000 },
      source: './x.ts',
    });
    expect(usePlugin(bare, {}).options).toEqual({});
  });

  it('that do not fit are an invalid configuration, with every problem', () => {
    try {
      usePlugin(waiting, { delay: 'soon', dealy: 1 });
      expect.unreachable();
    } catch (error) {
      if (!isArgusError(error)) throw error;
      expect(error.error).toMatchObject({
        code: 'CONFIG_INVALID',
        details: {
          file: null,
          problems: [
            {
              path: 'delay',
              value: 'soon',
              message: expect.stringContaining('plugin waiting: "soon" is not a duration'),
            },
            { path: 'dealy', suggestion: 'delay' },
          ],
        },
      });
      expect(error.message).toContain('The configuration has 2 problems, the first: delay:');
    }
  });

  it.each([[{ a: 1 }], [5], ['text']])('are refused by a plugin that takes none: %j', (options) => {
    expect(parsePluginOptions(bare, options).problems).toEqual([
      { path: [], message: 'plugin bare: it takes no options' },
    ]);
  });

  it('of a plugin whose schema does not work are told as that', () => {
    const late: Plugin = {
      name: 'late',
      options: z.object({}).refine(async () => true),
      apply: () => undefined,
    };
    expect(parsePluginOptions(late, {}).problems[0]?.message).toContain(
      'plugin late: the schema of its options does not work',
    );
  });
});
