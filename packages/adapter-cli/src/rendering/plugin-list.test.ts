import type { ListedPlugin } from '@argusai/core';
import { expect, it } from 'vitest';
import { paint } from './line.js';
import { pluginListLines } from './plugin-list.js';

const plugin = (name: string, rest: Partial<ListedPlugin>): ListedPlugin => ({
  ...{
    name,
    from: 'built-in',
    codes: [],
    checkers: [],
    recoverers: [],
    operations: [],
    runtimes: [],
    hooks: [],
  },
  options: {},
  ...rest,
});

it('shows where each plugin comes from, what it brings, and its options', () => {
  const lines = pluginListLines([
    plugin('core', { from: 'core', operations: ['setup', 'clean'] }),
    plugin('disk', { checkers: ['disk.space'], options: { inodes: 5, paths: [] } }),
    plugin('a', {
      from: 'package',
      package: 'argusai-plugin-a',
      version: '1.0.0',
      path: 'node_modules/a/x.js',
    }),
    plugin('b', { from: 'file', path: 'checks/b.ts', hooks: ['report'] }),
    plugin('c', { from: 'code', options: null }),
  ]);
  expect(paint(lines, { color: false })).toBe(
    [
      'core  part of argus',
      '  operations: setup, clean',
      '',
      'disk  built-in',
      '  checkers: disk.space',
      '  options:',
      '    inodes: 5',
      '    paths: none',
      '',
      'a  package argusai-plugin-a 1.0.0 node_modules/a/x.js',
      '',
      'b  file checks/b.ts',
      '  hooks: report',
      '',
      'c  given in code',
      '',
    ].join('\n'),
  );
});
