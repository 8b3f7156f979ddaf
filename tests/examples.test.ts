import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from './support/folder-with.js';
import { repository, runCommand } from './support/run-command.js';

const folder = join(repository, 'examples');
const names = readdirSync(folder);

/** Those whose test is elsewhere, because it needs an engine. */
const elsewhere = ['containers'];

/** Something that the story of each example must tell. */
const told: Record<string, readonly RegExp[]> = {
  quickstart: [/port 18080 is taken on purpose/, /^passed: one suite$/m],
  'custom-plugin': [/code: PRICE_LIST_STALE/, /recovered: 1 of 1 step worked/, /healthy: 1 check passed/],
  'published-plugin': [
    /env-file {2}package argusai-plugin-env-file 1\.2\.0/,
    /code: ENV_FILE_MISSING/,
    /recovered: 1 of 1 step worked/,
  ],
  ci: [
    /^::notice title=argus::healthy: 2 checks passed/m,
    /^::error .*title=DISK_SPACE_LOW/m,
    /<testsuites name="argus ci" tests="2" failures="0" errors="0"/,
    /<testsuites name="argus ci" tests="2" failures="1" errors="0"/,
    /<failure .*type="DISK_SPACE_LOW"/,
  ],
  agent: [
    /argus_setup {}: PRICE_LIST_MISSING/,
    // Nothing is confirmed before the person has seen what would be done and has said yes.
    /"dryRun":true}: ok\nDo you agree .*\n- Write prices\.json\nThe person says: yes\nargus_apply_recovery {"hash":"\w+","confirm":true}: ok/,
    /prices is ready; healthy/,
  ],
};

/** Those that repair the same thing each time, so that a budget could run out. */
const repairing = ['custom-plugin', 'published-plugin', 'agent'];

/** Runs the story in a folder to its end. */
async function tell(cwd: string, state: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(process.execPath, ['run.mjs'], {
    cwd,
    env: { ARGUS_STATE_DIR: state, NO_COLOR: '1', ...env },
  });
  return { code, text: `${stdout}\n${stderr}` };
}

/** An example as it is, but for its configuration, in a folder of its own that goes away with the test. */
async function changedExample(name: string, change: (config: string) => string): Promise<string> {
  const root = await folderWith({});
  const [from, to] = [join(folder, name), join(root, 'examples', name)];
  await cp(from, to, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  await symlink(join(from, 'node_modules'), join(to, 'node_modules'));
  await symlink(join(repository, 'packages'), join(root, 'packages'));
  const config = join(to, 'argus.config.yaml');
  await writeFile(config, change(await readFile(config, 'utf8')));
  return to;
}

describe('the examples', () => {
  it('are all run by a test, with a page and a description', () => {
    expect([...Object.keys(told), ...elsewhere].sort()).toEqual(names.sort());
    for (const name of names) {
      expect(readFileSync(join(folder, name, 'README.md'), 'utf8')).toMatch(/^# /);
      expect(JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))).toMatchObject({
        name: `argus-example-${name}`,
        private: true,
        description: expect.stringMatching(/\.$/),
      });
    }
  });

  it.each(Object.keys(told))('%s tells its whole story', { timeout: 180_000 }, async (name) => {
    const state = await folderWith({});
    const summary = join(state, 'summary.md');
    // People run them again and again, and what argus remembers of it stays.
    for (let time = 0; time < (repairing.includes(name) ? 3 : 1); time += 1) {
      const { code, text } = await tell(join(folder, name), join(state, 'state'), {
        GITHUB_STEP_SUMMARY: summary,
      });
      for (const part of told[name] ?? []) expect(text).toMatch(part);
      expect(code).toBe(0);
    }
    // What `--format github` writes there is a table.
    if (name === 'ci')
      expect(existsSync(summary) && readFileSync(summary, 'utf8')).toMatch(/^\|.*disk\.space/m);
  });

  it('agent stops with the reason where a repair is refused, and asks nobody about it', {
    timeout: 180_000,
  }, async () => {
    const cwd = await changedExample('agent', (config) => config.replace(/max: \d+/, 'max: 0'));
    const { code, text } = await tell(cwd, join(cwd, 'state'));
    expect(text).toMatch(
      /^It did not come up\. .* create path:prices\.json \(budget: 0 of 0 .*policy\.budget/m,
    );
    expect(text).not.toMatch(/The person says|at bringUp/);
    expect(text.match(/^argus_apply_recovery/gm)).toHaveLength(2);
    expect(code).toBe(1);
  });
});
