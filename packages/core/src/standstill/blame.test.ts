import { describe, expect, it } from 'vitest';
import { type Blamed, blame, blockedError } from './blame.js';
import type { Frame } from './frames.js';

const own = '/argus/dist';
const plugins = [
  { name: 'local', file: '/shop/local.mjs', checks: ['local.looks'] },
  { name: 'packed', file: '/shop/node_modules/packed/dist/index.js', checks: ['packed.looks'] },
  { name: 'built-in', checks: ['disk.space'] },
];
const at = (...urls: string[]): Frame[] => urls.map((url, index) => ({ url, line: index + 1 }));

describe('blame', () => {
  it.each<[string, Frame[], string[], Blamed]>([
    [
      'the plugin whose file it is',
      at('file:///shop/local.mjs?v=1'),
      ['local.looks', 'disk.space'],
      { plugin: 'local', checks: ['local.looks'], where: '/shop/local.mjs:1' },
    ],
    [
      'the plugin that called what stands still, at the innermost place that is not ours',
      at('node:fs', `${own}/rest.js`, 'file:///shop/lib/wait.mjs', 'file:///shop/local.mjs'),
      ['local.looks'],
      { plugin: 'local', checks: ['local.looks'], where: '/shop/lib/wait.mjs:3' },
    ],
    [
      'the plugin in whose package it lies',
      at('/shop/node_modules/packed/dist/deep/wait.js'),
      [],
      { plugin: 'packed', checks: [], where: '/shop/node_modules/packed/dist/deep/wait.js:1' },
    ],
    [
      'nobody for a file that only lies beside a plugin',
      at('file:///shop/argus.config.mjs'),
      ['local.looks'],
      { checks: [], where: '/shop/argus.config.mjs:1' },
    ],
    [
      'the only plugin that is at work where no place is known',
      at('node:child_process'),
      ['packed.looks'],
      { plugin: 'packed', checks: ['packed.looks'] },
    ],
    [
      'nobody where several are at work and no place is known',
      [],
      ['packed.looks', 'local.looks'],
      { checks: ['packed.looks', 'local.looks'] },
    ],
  ])('names %s', (_, frames, checks, expected) => {
    expect(blame(frames, { plugins, checks }, own)).toEqual(expected);
  });
});

describe('blockedError', () => {
  it.each<[Blamed, string]>([
    [
      { plugin: 'local', checks: ['a', 'b'], where: '/x.mjs:2' },
      'The plugin local in a or b at /x.mjs:2 held everything up for 2.1s and was ended',
    ],
    [{ checks: [], where: '/x.mjs:2' }, 'Code at /x.mjs:2 held everything up for 2.1s and was ended'],
    [{ checks: ['a'] }, 'Something in a held everything up for 2.1s and was ended'],
  ])('says who held everything up: %o', (blamed, message) => {
    expect(blockedError(blamed, 2_130, ' and was ended').error.message).toBe(message);
  });
});
