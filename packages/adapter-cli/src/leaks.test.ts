import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { demoProject } from './fixtures/demo-project.js';
import { type LeakAt, leakingProject, leaks } from './fixtures/leaking-project.js';

// These start the program as it was built, because what a plugin lets slip is seen by a process only.
const argus = fileURLToPath(new URL('../dist/argus.js', import.meta.url));

/** Everything that a check says and leaves behind while a plugin throws its secrets about. */
function check(at: LeakAt, ...args: string[]) {
  const { dir: cwd, env, state } = leakingProject(at);
  const { stdout, stderr } = spawnSync(process.execPath, [argus, 'check', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const kept = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  return { stdout, stderr, all: [stdout, stderr, ...kept].join('\n') };
}

describe('--debug', () => {
  it.each<[LeakAt, string]>([
    ['apply', 'ArgusError: Plugin leak: quotes'],
    ['tap', 'ArgusError: Plugin leak: quotes'],
    ['check', 'leak.check: Error: quotes'],
    ['timer', 'Error: quotes'],
  ])('shows where a plugin broke, and what has caused it: in %s', (at, first) => {
    for (const args of [['--debug'], ['--debug', '--format', 'json']]) {
      const { stderr } = check(at, ...args);
      expect(stderr).toMatch(new RegExp(`^${first}`, 'm'));
      expect(stderr).toMatch(
        /Error: quotes.*\n {4}at .*leaking-plugin\.ts:\d+[\s\S]*\ncaused by Error: because of.*\n {4}at .*leaking-plugin\.ts:\d+/,
      );
    }
    expect(check(at).stderr).not.toMatch(/\n {4}at /);
  });

  it('shows where a configuration broke', () => {
    const { dir: cwd, env } = demoProject();
    rmSync(join(cwd, 'argus.config.json'));
    writeFileSync(join(cwd, 'argus.config.mjs'), "\nthrow new Error('no way');");
    const { stderr } = spawnSync(process.execPath, [argus, 'check', '--debug'], {
      cwd,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/\ncaused by Error: no way\n {4}at .*argus\.config\.mjs:2/);
  });
});

describe('what a plugin throws', () => {
  it.each<[LeakAt, string]>([
    ['apply', 'Plugin leak: quotes [redacted] [redacted] [redacted]'],
    ['tap', 'Plugin leak: quotes [redacted] [redacted] [redacted]'],
    ['check', 'The check broke: quotes [redacted] [redacted] [redacted]'],
    ['timer', 'error: quotes [redacted] [redacted] [redacted]'],
    ['rejection', 'warning: left unhandled by a plugin: quotes [redacted] [redacted] [redacted]'],
  ])('is told without any secret, wherever that is: in %s', (at, told) => {
    for (const args of [[], ['--debug'], ['--format', 'json', '--debug']]) {
      const { all } = check(at, ...args);
      expect(all).toContain(told);
      for (const leak of leaks) expect(all).not.toContain(leak);
    }
  });
});
