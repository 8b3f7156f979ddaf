import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkerRules } from './checker-rules.js';
import { complaintsOf } from './describe-trials.js';
import type { BadPlugin } from './fixtures/bad-plugin.js';
import { badPlugins } from './fixtures/bad-plugins.js';
import locks from './fixtures/good-plugin/index.js';
import { locksLeft, silentServer } from './fixtures/good-plugin/scenarios.js';
import { describePlugin, trialsOfPlugin } from './plugin-contract.js';
import { pluginRules } from './plugin-rules.js';
import { recovererRules } from './recoverer-rules.js';

// A plugin that is in order passes; this is also how authors use the suite.
describePlugin(locks, {
  options: {},
  scenarios: [
    locksLeft((dir) => ({ options: { dir } })),
    silentServer((port) => ({ options: { server: { port } } })),
  ],
});

const rules = [...pluginRules, ...checkerRules, ...recovererRules];

describe('the plugin suite', () => {
  it.each(badPlugins)('catches $flaw', async ({ plugin, suite, breaks, complaint }) => {
    const complaints = await complaintsOf(trialsOfPlugin(plugin, suite));
    expect(complaints.find(({ rule }) => rule === breaks)?.complaint).toContain(complaint);
  });

  it.each(badPlugins.filter(canBeLoaded))(
    'blames nothing else for $flaw',
    async ({ plugin, suite, breaks }) => {
      const complaints = await complaintsOf(trialsOfPlugin(plugin, suite));
      expect(complaints.filter(({ rule }) => rule !== breaks)).toEqual([]);
    },
  );

  it('is proved on a bad plugin for every rule', () => {
    const names = rules.map(({ name }) => name);
    expect(names.filter((name) => !badPlugins.some(({ breaks }) => breaks === name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has one file of bad plugins for each rule, and leaves none of them out', async () => {
    const folder = new URL('./fixtures/bad-plugins/', import.meta.url);
    const broken = new Map<string, string>();
    for (const file of readdirSync(folder)) {
      const { default: some }: { default: BadPlugin[] } = await import(new URL(file, folder).href);
      const [first, ...others] = new Set(some.map(({ breaks }) => breaks));
      expect(others, file).toEqual([]);
      expect(broken.get(first ?? ''), `${file} is about a rule that has a file`).toBeUndefined();
      broken.set(first ?? '', file);
      expect(badPlugins.map(({ flaw }) => flaw)).toEqual(
        expect.arrayContaining(some.map(({ flaw }) => flaw)),
      );
    }
    expect([...broken.keys()].sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  it('is explained in the documentation, rule by rule, and nothing else is', () => {
    const page = readFileSync(new URL('../../../../docs/testing-plugins.md', import.meta.url), 'utf8');
    for (const { name, protects } of rules) expect(page).toContain(`| ${name} | ${protects} |`);
    const [, part = ''] = page.split('\n## The rules\n');
    const [tables = ''] = part.split('\n## ');
    const rows = [...tables.matchAll(/^\| (?!rule )([^|]+) \|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(rules.map(({ name }) => name).sort());
  });
});

/** Of a plugin that cannot be loaded, nothing else can be said. */
function canBeLoaded({ breaks }: BadPlugin): boolean {
  return breaks !== pluginRules[0]?.name;
}
