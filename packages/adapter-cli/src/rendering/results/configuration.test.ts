import type { ShownConfig } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { configurationLines } from './configuration.js';

const shown = (data: ShownConfig) => paint(configurationLines(data), { color: false });

describe('a configuration', () => {
  it('looks like YAML, with the source of each value at the right', () => {
    const text = shown({
      file: '/home/me/shop/argus.config.yaml',
      dir: '/home/me/shop',
      config: {
        plugins: [['./own.ts', { limit: 3 }], './b.ts'],
        services: { api: { ports: [{ host: 80, ip: null }], vars: {}, wait: 2000 } },
      },
      sources: [
        { path: 'plugins[0][0]', from: 'file', line: 2 },
        { path: 'plugins[0][1].limit', from: 'file', line: 2 },
        { path: 'plugins[1]', from: 'file' },
        { path: 'services.api.ports[0].host', from: 'file', line: 5 },
        { path: 'services.api.ports[0].ip', from: 'file', line: 5 },
        { path: 'services.api.vars', from: 'default' },
        { path: 'services.api.wait', from: 'default', written: '2s' },
      ],
    });
    const at = (line: string, source: string) => `${line.padEnd(48)}${source}\n`;
    expect(text).toBe(
      '# /home/me/shop/argus.config.yaml\nplugins:\n' +
        at('  - - ./own.ts', 'argus.config.yaml:2') +
        at('    - limit: 3', 'argus.config.yaml:2') +
        at('  - ./b.ts', 'argus.config.yaml') +
        'services:\n  api:\n    ports:\n' +
        at('      - host: 80', 'argus.config.yaml:5') +
        at('        ip: null', 'argus.config.yaml:5') +
        at('    vars: {}', 'default') +
        at('    wait: 2s', 'default'),
    );
  });

  it('names the folder of the project when the file lies elsewhere', () => {
    const text = shown({ file: '/shared/argus.config.yaml', dir: '/home/me/shop', config: {}, sources: [] });
    expect(text).toBe('# /shared/argus.config.yaml\n# for the project in /home/me/shop\n');
  });

  it('says that there is no file', () => {
    expect(shown({ file: null, dir: '/', config: {}, sources: [] })).toBe(
      '# There is no configuration file; these are the defaults\n',
    );
  });

  it.each([
    ['plain text', 'plain text'],
    ['/health', '/health'],
    ['true', '"true"'],
    ['8080:3000', '"8080:3000"'],
    ['a: b', '"a: b"'],
    ['@argusai/plugin-disk', '"@argusai/plugin-disk"'],
    ['', '""'],
    [true, 'true'],
  ])('writes %j as %s', (value, expected) => {
    expect(shown({ file: null, dir: '/', config: { 'odd key': value }, sources: [] })).toContain(
      `"odd key": ${expected}\n`,
    );
  });

  it('keeps its distance from a source when a line is long', () => {
    const text = 'x'.repeat(60);
    const line = shown({
      file: null,
      dir: '/',
      config: { a: text },
      sources: [{ path: 'a', from: 'default' }],
    });
    expect(line).toContain(`a: ${text}  default\n`);
  });
});
