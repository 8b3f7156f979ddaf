import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    const { code, stdout, stderr } = await runCommand(process.execPath, ['run.mjs'], {
      cwd: join(folder, name),
      env: { ARGUS_STATE_DIR: join(state, 'state'), NO_COLOR: '1', GITHUB_STEP_SUMMARY: summary },
    });
    for (const text of told[name] ?? []) expect(`${stdout}\n${stderr}`).toMatch(text);
    expect(code).toBe(0);
    // What `--format github` writes there is a table.
    if (name === 'ci')
      expect(existsSync(summary) && readFileSync(summary, 'utf8')).toMatch(/^\|.*disk\.space/m);
  });
});
