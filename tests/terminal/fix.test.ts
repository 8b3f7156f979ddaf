import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../packages/adapter-cli/src/fixtures/demo-project.js';
import { runArgus } from '../support/run-command.js';
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

function lampProject(policy: object = {}): { cwd: string; env: Record<string, string> } {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'checks'));
  writeFileSync(join(cwd, 'checks', 'lamp.mjs'), lamps);
  writeFileSync(
    join(cwd, 'argus.config.json'),
    JSON.stringify({ project: { name: 'house' }, plugins: ['./checks/lamp.mjs'], policy }),
  );
  const env = { PATH: process.env.PATH ?? '', ARGUS_STATE_DIR: join(cwd, 'state'), NO_COLOR: '1' };
  return { cwd, env };
}

const fix = (project: ReturnType<typeof lampProject>, columns = 80, ...args: string[]) =>
  atTerminal([process.execPath, argus, 'fix', ...args], { columns, ...project });
const plainFix = ({ cwd, env }: ReturnType<typeof lampProject>, ...args: string[]) =>
  runArgus(['fix', ...args], { cwd, state: env.ARGUS_STATE_DIR ?? cwd });
const only = (lamp: string) => ['--only', `lamp.${lamp}`];
const isLit = ({ cwd }: ReturnType<typeof lampProject>, lamp: string) => existsSync(join(cwd, lamp));

/** The hash of the plan for all that is out, or for one checker. */
async function plannedHash(project: ReturnType<typeof lampProject>, checker?: string): Promise<string> {
  const { stdout } = await plainFix(project, '--plan', ...(checker === undefined ? [] : ['--only', checker]));
  return /argus fix --apply ([0-9a-f]+)/.exec(stdout)?.[1] ?? '';
}
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
    expect(screen.split('\n')).toEqual([
      '1. light hall  lamp.light, safe, can be undone',
      '   light the lamp hall',
      '   for lamp.hall hall (LAMP_OUT)',
      '2. replace attic  lamp.replace, destructive, cannot be undone',
      '   replace the lamp attic',
      '   for lamp.attic attic (LAMP_BROKEN)',
      'Carry it out? [y/N] y',
      'replace attic  lamp.replace, destructive, cannot be undone',
      '   replace the lamp attic',
      'This one too? [y/N] yes',
      '✓ light hall: recovered  lamp.light, safe, can be undone',
      '✓ replace attic: recovered  lamp.replace, destructive, cannot be undone',
      '',
      'recovered: 2 of 2 steps worked',
      'before unhealthy: 2 failed, 0 passed',
      'after  healthy: 2 checks passed',
    ]);
    for (const line of screen.split('\n')) expect(line.length).toBeLessThan(columns);
    // What went on was shown while it did, and taken away again.
    for (const text of ['checking: 0 of 2 done', 'light hall', 'checking again: 0 of 1 done']) {
      expect(session.written()).toMatch(new RegExp(`[⠀-⣿] ${text}`));
    }
    expect(session.isCursorHidden()).toBe(false);
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
    expect((await declined.screen()).split('\n').slice(-3)).toEqual([
      '   for lamp.attic attic (LAMP_BROKEN)',
      'Carry it out? [y/N] maybe',
      'Nothing was done.',
    ]);

    const ended = fix(project, columns);
    await ended.shows('Carry it out?');
    ended.type('\x04');
    expect(await ended.ended()).toBe(1);
    expect((await ended.screen()).split('\n').slice(-2)).toEqual([
      'Carry it out? [y/N] ',
      'Nothing was done.',
    ]);

    const interrupted = fix(project, columns);
    await interrupted.shows('Carry it out?');
    interrupted.type('\x03');
    expect(await interrupted.ended()).toBe(130);
    expect(existsSync(join(project.cwd, 'hall'))).toBe(false);
  });

  it('says before it asks what would be refused', async () => {
    const project = lampProject({ exclude: ['attic'] });
    const session = fix(project, columns);
    await session.shows('Carry it out?');
    expect(await session.screen()).toContain('would be refused: replace attic, by exclusion');
    session.type('y\r');
    expect(await session.ended()).toBe(1);
    expect(await session.screen()).not.toContain('This one too?');
    expect([isLit(project, 'hall'), isLit(project, 'attic')]).toEqual([true, false]);
  });

  it('does not ask with --yes, only shows with --plan, and does not carry out a stale plan', async () => {
    const project = lampProject();
    const planned = fix(project, columns, '--plan');
    expect(await planned.ended()).toBe(0);
    // Whoever sits here is asked about what cannot be undone.
    const [, hash = ''] = /argus fix --apply ([0-9a-f]+)$/.exec(await planned.screen()) ?? [];
    expect(hash).not.toBe('');
    expect(existsSync(join(project.cwd, 'hall'))).toBe(false);

    writeFileSync(join(project.cwd, 'hall'), '');
    const stale = fix(project, columns, '--apply', hash);
    expect(await stale.ended()).toBe(1);
    expect(await stale.screen()).toContain('PLAN_STALE');
    expect(await stale.screen()).toContain('next: argus fix --plan');

    const all = fix(project, columns, '--yes');
    expect(await all.ended()).toBe(0);
    expect(await all.screen()).toContain('recovered: 1 of 1 step worked');
  });

  it('carries out exactly the plan of a hash, and asks only for what is destructive', async () => {
    const project = lampProject();
    const harmless = fix(
      project,
      columns,
      '--apply',
      await plannedHash(project, 'lamp.hall'),
      ...only('hall'),
    );
    expect(await harmless.ended()).toBe(0);
    expect(await harmless.screen()).toContain('recovered: 1 of 1 step worked');
    expect(harmless.written()).not.toContain('[y/N]');
    expect(isLit(project, 'hall')).toBe(true);

    const hash = await plannedHash(project);
    const declined = fix(project, columns, '--apply', hash);
    await declined.shows('Carry it out? [y/N]');
    expect(await declined.screen()).toContain('replace attic  lamp.replace, destructive, cannot be undone');
    declined.type('\r');
    expect(await declined.ended()).toBe(1);
    expect(await declined.screen()).toContain('Nothing was done.');
    expect(isLit(project, 'attic')).toBe(false);

    const agreed = fix(project, columns, '--apply', hash);
    await agreed.shows('Carry it out? [y/N]');
    expect(isLit(project, 'attic')).toBe(false);
    agreed.type('y\r');
    expect(await agreed.ended()).toBe(0);
    expect(isLit(project, 'attic')).toBe(true);
  });

  it('does what can be undone of the plan of a hash when the rest is declined, and asks nothing with --yes', async () => {
    const project = lampProject();
    const some = fix(project, columns, '--apply', await plannedHash(project));
    await some.shows('Carry it out? [y/N]');
    some.type('n\r');
    expect(await some.ended()).toBe(1);
    expect([isLit(project, 'hall'), isLit(project, 'attic')]).toEqual([true, false]);

    const all = fix(project, columns, '--yes', '--apply', await plannedHash(project));
    expect(await all.ended()).toBe(0);
    expect(all.written()).not.toContain('[y/N]');
    expect(isLit(project, 'attic')).toBe(true);
  });
});

/** Files that have to go, whose checker takes its time and whose recoverer does so after each; it heeds the signal or not. */
const clutter = (heeds: boolean, takesMs: number) => `import { existsSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
const code = { code: 'CLUTTER', category: 'system', severity: 'recoverable', summary: 'Clutter', suggestedActions: [] };
const names = ['one', 'two', 'three'];
export default { name: 'room', apply({ hooks }) {
  hooks.errorCodes.tap('room', (codes) => codes.add(code));
  hooks.checkers.tap('room', (all) => all.add({ name: 'room.tidy', async check({ pass, fail }) {
    while (!existsSync('may-check')) await wait(10);
    const left = names.filter((name) => existsSync(name));
    return left.length === 0 ? pass('tidy') : left.map((target) => fail(code, { message: target + ' lies about', target }));
  } }));
  hooks.recoverers.tap('room', (all) => all.add({
    name: 'room.tidy-up', risk: 'destructive', handles: [code],
    plan: ({ findings }) => findings.map(({ check: { target } }) =>
      ({ target, action: 'remove', description: 'Remove ' + target, reversible: false, resolves: [target] })),
    async apply({ steps, signal }) {
      for (const { target } of steps) {
        rmSync(target);
        if (target === 'two') await wait(${takesMs}, undefined, ${heeds ? '{ signal }' : '{}'});
      }
    },
  }));
} };
`;

function clutteredProject({
  heeds = true,
  mayCheck = true,
  takesMs = 400,
} = {}): ReturnType<typeof lampProject> {
  const project = lampProject();
  writeFileSync(join(project.cwd, 'checks', 'lamp.mjs'), clutter(heeds, takesMs));
  for (const name of ['one', 'two', 'three', ...(mayCheck ? ['may-check'] : [])])
    writeFileSync(join(project.cwd, name), '');
  return project;
}
const lying = ({ cwd }: ReturnType<typeof lampProject>) =>
  ['one', 'two', 'three'].filter((name) => existsSync(join(cwd, name)));
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('argus fix that is cancelled in the middle of a repair', () => {
  it.each([{ heeds: true }, { heeds: false }])(
    'tells what had begun and how it is now (heeds the signal: $heeds)',
    async ({ heeds }) => {
      const project = clutteredProject({ heeds });
      const session = fix(project, 120, '--yes');
      await until(() => !lying(project).includes('two'));
      session.type('\x03');
      expect(await session.ended()).toBe(130);
      expect(lying(project)).toEqual(['three']);
      const screen = (await session.screen()).replace(/\s+/g, ' ');
      expect(screen).toContain(
        'The recovery was cancelled; begun, and perhaps only partly done: remove one, remove two; not begun: remove three',
      );
      for (const name of ['one', 'two'])
        expect(screen).toContain(`remove ${name}: the check afterwards no longer finds the problem`);
      expect(screen).toContain('next: argus check shows how things are now');
    },
  );

  it('ends at once at the second Ctrl-C, and says what may be left', async () => {
    // Nothing ends this one, so the orderly end is still waiting when the second comes.
    const project = clutteredProject({ heeds: false, takesMs: 600_000 });
    const session = fix(project, 120, '--yes');
    await until(() => !lying(project).includes('two'));
    session.type('\x03');
    await session.shows('Stopping in order; once more to stop at once');
    // Signals that come together are one, so the second keeps its distance.
    await new Promise((resolve) => setTimeout(resolve, 500));
    session.type('\x03');
    expect(await session.ended()).toBe(130);
    const screen = await session.screen();
    expect(screen).toContain('Stopped at once. A repair may be half done; argus check shows how things are');
    expect(screen).not.toContain('The recovery was cancelled');
    expect(lying(project)).toEqual(['three']);
  });

  it('says the same to programs', async () => {
    const project = clutteredProject();
    const session = fix(project, 120, '--yes', '--format', 'ndjson');
    await until(() => !lying(project).includes('two'));
    session.type('\x03');
    expect(await session.ended()).toBe(130);
    const written = session.written();
    expect(written).toContain('"code":"CANCELLED"');
    expect(written.match(/"outcome":"interrupted"/g)).toHaveLength(2);
    expect(written).toContain('"notBegun":[{');
    expect(written).not.toContain('"outcome":"failed"');
  });
});

describe('an answer that was typed before its question', () => {
  it.each(['y\r'.repeat(4), 'y'])('is none: %j', async (typed) => {
    const project = clutteredProject({ mayCheck: false });
    const session = fix(project);
    await session.shows('checking: 0 of 1 done');
    session.type(typed);
    await session.shows(/y/);
    writeFileSync(join(project.cwd, 'may-check'), '');
    await session.shows('Carry it out? [y/N]');
    session.type('\r');
    expect(await session.ended()).toBe(1);
    expect(await session.screen()).toContain('Nothing was done.');
    expect(lying(project)).toEqual(['one', 'two', 'three']);
  });

  it('is none for the next question either', async () => {
    const project = clutteredProject();
    const session = fix(project);
    await session.shows('Carry it out? [y/N]');
    session.type('y\ry\ry\ry\r');
    await session.shows('This one too? [y/N]');
    for (let asked = 1; asked <= 3; asked++) {
      await until(() => session.written().split('This one too?').length > asked);
      session.type('n\r');
    }
    expect(await session.ended()).toBe(1);
    expect(lying(project)).toEqual(['one', 'two', 'three']);
  });
});

describe('argus fix without a terminal', () => {
  const plan = [
    '1. light hall  lamp.light, safe, can be undone',
    '   light the lamp hall',
    '   for lamp.hall hall (LAMP_OUT)',
    '2. replace attic  lamp.replace, destructive, cannot be undone',
    '   replace the lamp attic',
    '   for lamp.attic attic (LAMP_BROKEN)',
  ];

  it('shows the plan, does nothing because nobody can be asked, and says what to type', async () => {
    const project = lampProject();
    const hash = await plannedHash(project);
    const { code, stdout } = await plainFix(project);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      ...plan,
      'Nothing was done, because nobody could be asked.',
      `To carry out exactly this: argus fix --apply ${hash} --yes, or whatever there is to do: argus fix --yes`,
      '',
    ]);
    expect([isLit(project, 'hall'), isLit(project, 'attic')]).toEqual([false, false]);
    const part = await plainFix(project, ...only('attic'));
    expect(part.stdout).toMatch(
      /fix --apply \w+ --only lamp\.attic --yes, .*: argus fix --yes --only lamp\.attic\n$/,
    );
  });

  it('only shows with --plan, and says what carries out all of it here', async () => {
    const project = lampProject();
    const hash = await plannedHash(project);
    const { code, stdout } = await plainFix(project, '--plan');
    const last = `To carry out exactly this: argus fix --apply ${hash} --yes`;
    expect([code, stdout.split('\n')]).toEqual([0, [...plan, last, '']]);
    expect(isLit(project, 'hall')).toBe(false);

    const harmless = await plainFix(project, '--plan', ...only('hall'));
    expect(harmless.stdout).toMatch(
      /\nTo carry out exactly this: argus fix --apply \w+ --only lamp\.hall\n$/,
    );
  });

  it('names no command for what would be refused whoever agrees, but when and how it is allowed', async () => {
    const project = lampProject({ budget: { max: 1 } });
    expect(await plainFix(project, '--yes', ...only('hall'))).toMatchObject({ code: 0 });
    rmSync(join(project.cwd, 'hall'));
    const { code, stdout } = await plainFix(project, '--plan', ...only('hall'));
    expect(stdout.split('\n').slice(3)).toEqual([
      expect.stringMatching(
        /^would be refused: light hall, by budget: 1 of 1 repair of hall .* allowed in \S+, or with a larger policy\.budget$/,
      ),
      'Nothing of this would be carried out.',
      '',
    ]);
    expect(code).toBe(0);
    // What is not refused can be carried out as before.
    expect((await plainFix(project, '--plan')).stdout).toMatch(
      /would be refused: light hall[\s\S]* --apply /,
    );
  });

  it('leaves undone what is destructive with --apply alone, does the rest, and says what does it', async () => {
    const project = lampProject();
    const { code, stdout } = await plainFix(project, '--apply', await plannedHash(project));
    expect(code).toBe(1);
    expect([isLit(project, 'hall'), isLit(project, 'attic')]).toEqual([true, false]);
    expect(stdout).toContain('replace attic: refused');
    expect(stdout).toContain('To carry out what nobody could be asked about: argus fix --yes\n');
    expect(without(stdout)).toMatch(
      /\nnot recovered: 1 of 2 steps worked\nbefore unhealthy: 2 failed, 0 passed\nafter {2}unhealthy: 1 failed, 1 passed\n$/,
    );

    const hash = await plannedHash(project);
    const rest = await plainFix(project, '--apply', hash);
    expect([rest.code, isLit(project, 'attic')]).toEqual([1, false]);
    expect(rest.stdout).toContain(
      `Nothing was done, because nobody could be asked.\nTo carry out exactly this: argus fix --apply ${hash} --yes`,
    );
  });

  it('is used wrongly with an empty hash', async () => {
    const { code, stderr } = await plainFix(lampProject(), '--apply', '');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--apply')]);
  });

  it.each([[], ['--apply']])('carries all of it out with --yes %s', async (...options) => {
    const project = lampProject();
    const args = options.length > 0 ? [...options, await plannedHash(project)] : [];
    const { code, stdout } = await plainFix(project, '--yes', ...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nbefore unhealthy: 2 failed, 0 passed.*\nafter {2}healthy: 2 checks passed/);
    expect(stdout).toContain('recovered: 2 of 2 steps worked');
    expect([isLit(project, 'hall'), isLit(project, 'attic')]).toEqual([true, true]);
  });

  it('touches nothing with a hash that no longer fits, and says how to make the plan again', async () => {
    const project = lampProject();
    const hash = await plannedHash(project, 'lamp.attic');
    const { code, stderr } = await plainFix(project, '--apply', hash);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('code: PLAN_STALE\nnext: argus fix --plan\n'),
    ]);
    expect([isLit(project, 'hall'), isLit(project, 'attic')]).toEqual([false, false]);
  });

  it('cannot both only show and carry out', async () => {
    const project = lampProject();
    const { code, stderr } = await plainFix(project, '--plan', '--apply', await plannedHash(project));
    expect(code).toBe(2);
    expect(stderr).toContain('use --plan to see it, or --apply HASH to do exactly that');
    expect(isLit(project, 'hall')).toBe(false);
  });
});
