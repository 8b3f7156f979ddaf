import { definePlugin, duration, type ListedPlugin, size, usePlugin } from '@argusai/core';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { paint } from '../text/line.js';
import { pluginListLines } from './plugin-list.js';

const plugin = (name: string, rest: Partial<ListedPlugin>): ListedPlugin => ({
  name,
  from: 'built-in',
  codes: [],
  checkers: [],
  recoverers: [],
  operations: [],
  runtimes: [],
  hooks: [],
  options: {},
  ...rest,
});

it('shows where each plugin comes from, what it brings, and its options', () => {
  const lines = pluginListLines([
    plugin('core', { from: 'core', version: '0.1.0', operations: ['setup', 'clean'] }),
    plugin('disk', { version: '0.2.0', checkers: ['disk.space'], options: { inodes: 5, paths: [] } }),
    plugin('a', {
      from: 'package',
      package: 'argusai-plugin-a',
      version: '1.0.0',
      path: 'node_modules/a/x.js',
    }),
    plugin('b', { from: 'file', path: 'checks/b.ts', hooks: ['report'] }),
    plugin('c', { from: 'code', version: '3.0.0', options: null }),
  ]);
  expect(paint(lines, { color: false })).toBe(
    [
      'core 0.1.0  part of argus',
      '  operations: setup, clean',
      '',
      'disk 0.2.0  built-in',
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
      'c 3.0.0  given in code',
      '',
    ].join('\n'),
  );
});

it('shows sizes and durations as they are written', () => {
  const options = z.object({ reclaimable: size().default('10GB'), timeout: duration().default('5s') });
  const loaded = usePlugin(definePlugin({ name: 'docker', options, apply: () => undefined }));
  const lines = pluginListLines([plugin('docker', { options: loaded.options })], [loaded]);
  expect(paint(lines, { color: false })).toBe(
    'docker  built-in\n  options:\n    reclaimable: 10 GB\n    timeout: 5s\n',
  );
});
