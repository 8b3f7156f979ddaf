import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../packages/adapter-cli/src/fixtures/demo-project.js';
import { atTerminal } from './terminal.js';

const argus = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));

/** A plugin whose lamps are out until their files exist; one of them can only be replaced. */
const lamps = `import { existsSync, writeFileSync } from 'node:fs';
const code = (name) => ({ code: name, category: 'system', severity: 'recoverable', summary: 'A lamp is out', suggestedActions: [] });
const [out, broken] = [code('LAMP_OUT'), code('LAMP_BROKEN')];
const checker = (name, problem) => ({
  name: 'lamp.' + name,
  check: ({ pass, fail }) => existsSync(name) ? pass(name + ' is lit') : fail(problem, { message: name + ' is out', target: name }),
});
const recoverer = (name, risk, problem) => ({
  name: 'lamp.' + name, risk, handles: [problem],
  plan: ({ findings }) => findings.map(({ check: { target } }) =>
    ({ target, action: name, description: name + ' the lamp ' + target, reversible: risk === 'safe', resolves: [target] })),
  async apply({ steps }) { for (const { target } of steps) writeFileSync(target, ''); },
});
export default { name: 'lamp', apply({ hooks }) {
  hooks.errorCodes.tap('lamp', (codes) => { codes.add(out); codes.add(broken); });
  hooks.checkers.tap('lamp', (all) => { all.add(checker('hall', out)); all.add(checker('attic', broken)); });
  hooks.recoverers.tap('lamp', (all) => { all.add(recoverer('light', 'safe', out)); all.add(recoverer('replace', 'destructive', broken)); });
} };
`;

function lampProject(): { cwd: string; env: Record<string, string> } {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'checks'));
  writeFileSync(join(cwd, 'checks', 'lamp.mjs'), lamps);
  writeFileSync(
    join(cwd, 'argus.config.json'),
    JSON.stringify({ project: { name: 'house' }, plugins: ['./checks/lamp.mjs'] }),
  );
  const env = { PATH: process.env.PATH ?? '', ARGUS_STATE_DIR: join(cwd, 'state'), NO_COLOR: '1' };
  return { cwd, env };
}

const fix = (project: ReturnType<typeof lampProject>, columns = 80, ...args: string[]) =>
  atTerminal([process.execPath, argus, 'fix', ...args], { columns, ...project });
const without = (screen: string) => screen.replace(/ in (?:<1|\d+) ms/g, '');

describe.each([80, 120])('argus fix at a terminal of %i columns', (columns) => {
  it('shows its plan, asks, asks again for what cannot be undone, and tells how it was before and after', async () => {
    const project = lampProject();
    const session = fix(project, columns);
    await session.shows('Carry it out? [y/N]');
    expect([existsSync(join(project.cwd, 'hall')), existsSync(join(project.cwd, 'attic'))]).toEqual([
      false,
      false,
    ]);
    session.type('y\r');
    await session.shows('This one too? [y/N]');
    session.type('yes\r');
    expect(await session.ended()).toBe(0);
    const screen = without(await session.screen());
    expect(screen).toContain('1. light hall  lamp.light, safe, can be undone');
    expect(screen).toContain('2. replace attic  lamp.replace, destructive, cannot be undone');
    expect(screen).toContain('✓ light hall: recovered');
    expect(screen).toContain(
      'before unhealthy: 2 failed, 0 passed\nafter  healthy: 2 checks passed\nrecovered: 2 of 2 steps worked',
    );
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it('leaves out what was declined, and says that something is still wrong', async () => {
    const project = lampProject();
    const session = fix(project, columns);
    await session.shows('Carry it out?');
    session.type('y\r');
    await session.shows('This one too?');
    session.type('\r');
    expect(await session.ended()).toBe(1);
    expect(existsSync(join(project.cwd, 'hall'))).toBe(true);
    expect(existsSync(join(project.cwd, 'attic'))).toBe(false);
    expect(without(await session.screen())).toContain('after  unhealthy: 1 failed, 1 passed');
  });

  it('does nothing without a yes, and ends at once with Ctrl-C', async () => {
    const project = lampProject();
    const declined = fix(project, columns);
    await declined.shows('Carry it out?');
    declined.type('maybe\r');
    expect(await declined.ended()).toBe(1);
    expect(await declined.screen()).toContain('Nothing was done.');

    const interrupted = fix(project, columns);
    await interrupted.shows('Carry it out?');
    interrupted.type('\x03');
    expect(await interrupted.ended()).toBe(130);
    expect(existsSync(join(project.cwd, 'hall'))).toBe(false);
  });

  it('does not ask with --yes, only shows with --plan, and carries out exactly that with --apply', async () => {
    const project = lampProject();
    const planned = fix(project, columns, '--plan');
    expect(await planned.ended()).toBe(0);
    const [, hash = ''] = /argus fix --apply ([0-9a-f]+)/.exec(await planned.screen()) ?? [];
    expect(existsSync(join(project.cwd, 'hall'))).toBe(false);

    writeFileSync(join(project.cwd, 'hall'), '');
    const stale = fix(project, columns, '--apply', hash);
    expect(await stale.ended()).toBe(1);
    expect(await stale.screen()).toContain('PLAN_STALE');

    const all = fix(project, columns, '--yes');
    expect(await all.ended()).toBe(0);
    expect(await all.screen()).toContain('recovered: 1 of 1 step worked');
  });
});
