import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { folderWith } from '../support/folder-with.js';
import { argusProgram } from '../support/run-command.js';
import { atTerminal } from '../terminal/terminal.js';

const timeout = 120_000;

/** At which of its steps the repair is told to stop, and how many more a recoverer that never gives way may have been handed by then. */
const stopAt = 1_000;
const handedMost = 2 * 64;

type Files = Record<string, string>;

/** A project in a folder of its own. What has a mark to leave leaves it in `mark`. */
async function projectOf(files: Files, plugins: readonly string[] = ['./plugin.mjs']) {
  const config = JSON.stringify({ project: { name: 'held' }, plugins });
  const cwd = await folderWith({
    ...('argus.config.mjs' in files ? {} : { 'argus.config.json': config }),
    ...files,
  });
  const mark = join(cwd, 'mark');
  const env = {
    PATH: process.env.PATH ?? '',
    ARGUS_STATE_DIR: join(cwd, 'state'),
    NO_COLOR: '1',
    MARK: mark,
  };
  const begun = async () => {
    while (!existsSync(mark)) await setTimeout(20);
  };
  return { cwd, env, mark, begun };
}

type Project = Awaited<ReturnType<typeof projectOf>>;

/** Starts the built program. */
function start({ cwd, env }: Project, ...args: string[]) {
  const child = spawn(process.execPath, [argusProgram, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { signal: (name: NodeJS.Signals) => child.kill(name), ended };
}

/** A plugin with checks, and what they do. */
const plugin = (checks: Record<string, string>, before = '', name = 'held') => `
import { appendFileSync, writeFileSync } from 'node:fs';
${before}
const mark = () => writeFileSync(process.env.MARK, 'begun');
export default { name: '${name}', apply({ hooks }) {
  hooks.checkers.tap('${name}', (checkers) => {
    ${Object.entries(checks)
      .map(
        ([check, body]) =>
          `checkers.add({ name: '${name}.${check}', async check({ pass }) { ${body}; return pass('well') } });`,
      )
      .join('\n    ')}
  });
} };
`;

const forever = 'while (true) {}';
const hopeless = `/^(a+)+$/.test('a'.repeat(60) + 'b')`;
const blocking = (how = forever) =>
  projectOf({ 'plugin.mjs': plugin({ blocks: `await null; mark(); ${how}` }) });

const names = Array.from({ length: 10_000 }, (_, index) => `t${index}`);
const mending = `
import { appendFileSync } from 'node:fs';
const code = { code: 'MANY_BROKEN', category: 'system', severity: 'recoverable', summary: 'broken', suggestedActions: ['many.mend'] };
const names = Array.from({ length: ${names.length} }, (_, index) => 't' + index);
const mended = new Set();
export default { name: 'many', apply({ hooks }) {
  hooks.errorCodes.tap('many', (codes) => codes.add(code));
  hooks.checkers.tap('many', (checkers) => checkers.add({ name: 'many.whole', timeoutMs: 60_000, check: ({ pass, fail }) =>
    names.map((target) => mended.has(target) ? pass('whole', { target }) : fail(code, { message: 'broken', target })) }));
  hooks.recoverers.tap('many', (recoverers) => recoverers.add({ name: 'many.mend', risk: 'safe', handles: [code],
    plan: ({ findings }) => findings.map(({ check: { target } }) =>
      ({ target, action: 'mend', description: 'Mend ' + target, reversible: true, resolves: [target] })),
    // It heeds no signal and never gives way.
    async apply({ steps }) {
      for (const { target } of steps) {
        appendFileSync(process.env.MARK, target + '\\n');
        mended.add(target);
        if (mended.size === Number(process.env.STOP_AT)) process.kill(process.pid, 'SIGINT');
      }
    } }));
} };
`;

describe('a repair of 10,000 steps', () => {
  it('begins none after a signal, says of each whether it was begun, and ends as what a signal has ended', {
    timeout,
  }, async () => {
    const project = await projectOf({ 'plugin.mjs': mending });
    const env = { ...project.env, STOP_AT: String(stopAt) };
    const { code, stdout } = await start({ ...project, env }, 'fix', '--yes', '--format', 'json').ended;
    expect(code).toBe(130);
    const begun = readFileSync(project.mark, 'utf8').trim().split('\n');
    expect(begun.length - stopAt).toBeLessThan(handedMost);
    const { error } = JSON.parse(stdout);
    expect(error.code).toBe('CANCELLED');
    expect(error.details.steps.map(({ target }: { target: string }) => target)).toEqual(begun);
    expect(error.details.notBegun.map(({ target }: { target: string }) => target)).toEqual(
      names.slice(begun.length),
    );
  });
});

describe('a repair that a client of MCP cancels', () => {
  it('begins no further step', { timeout }, async () => {
    const project = await projectOf({ 'plugin.mjs': mending });
    const client = await newClient({ cwd: project.cwd, env: { MARK: project.mark } });
    const shown = await client.call('argus_fix', { plan: true });
    const controller = new AbortController();
    const args = { confirm: true, hash: shown.hash };
    const fixing = client.call('argus_fix', args, { signal: controller.signal, timeout });
    await project.begun();
    controller.abort();
    await expect(fixing).rejects.toThrow();
    const count = () => readFileSync(project.mark, 'utf8').split('\n').length - 1;
    // Whatever is done afterwards, the rest is not.
    const whileAsking = async () => {
      const before = count();
      await client.call('argus_status');
      return count() - before;
    };
    await expect.poll(whileAsking, { timeout }).toBe(0);
    expect(count()).toBeLessThan(names.length);
  });
});

describe('JavaScript that blocks for ever', () => {
  it('is ended when the checks have had their time, named, and costs no other result', {
    timeout,
  }, async () => {
    const project = await projectOf(
      {
        'plugin.mjs': plugin({
          blocks: `await new Promise((resolve) => setTimeout(resolve, 200)); ${hopeless}`,
        }),
        'well.mjs': plugin({ well: '' }, '', 'fine'),
      },
      ['./well.mjs', './plugin.mjs'],
    );
    const { code, stdout } = await start(project, 'check', '--timeout', '2s', '--format', 'json').ended;
    const { data } = JSON.parse(stdout);
    expect(code).toBe(3);
    expect(data.checks.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual([
      'fine.well pass',
      'held.blocks unknown',
    ]);
    expect(data.notices).toMatchObject([
      {
        code: 'PLUGIN_BLOCKED',
        details: {
          plugin: 'held',
          checks: ['held.blocks'],
          where: expect.stringMatching(/plugin\.mjs:\d+$/),
        },
      },
    ]);
  });

  it.each<[string, NodeJS.Signals, number]>([
    [forever, 'SIGTERM', 143],
    [hopeless, 'SIGINT', 130],
  ])(
    'does not keep the program from ending in order for a signal: %s',
    { timeout },
    async (how, signal, expected) => {
      const project = await blocking(how);
      const check = start(project, 'check', '--format', 'json');
      await project.begun();
      check.signal(signal);
      const { code, stdout, stderr } = await check.ended;
      expect(code).toBe(expected);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
      expect(stderr).toMatch(
        /^warning: The plugin held in held\.blocks at .*plugin\.mjs:\d+ held everything up/m,
      );
    },
  );

  it('does not keep work from ending that takes back what it has begun', { timeout }, async () => {
    // With a check that gives way to nothing, what waits for all of them is cut off as well.
    const files = { 'plugin.mjs': plugin({ blocks: `mark(); ${forever}` }) };
    const [signalled, left] = [await projectOf(files), await projectOf(files)];
    const calls = [signalled, left].map((project) => start(project, 'fix', '--yes', '--format', 'json'));
    await signalled.begun();
    calls[0]?.signal('SIGTERM');
    const ends = await Promise.all(calls.map(({ ended }) => ended));
    expect(ends.map(({ code, stdout }) => [code, JSON.parse(stdout).error.code])).toEqual([
      [143, 'CANCELLED'],
      [1, 'PLUGIN_BLOCKED'],
    ]);
  });

  it('ends at a terminal for a second Ctrl-C, and for the first already', { timeout }, async () => {
    const project = await blocking();
    const session = atTerminal([process.execPath, argusProgram, 'check'], { columns: 100, ...project });
    await project.begun();
    session.type('\x03');
    session.type('\x03');
    expect(await session.ended()).toBe(130);
    expect(session.isCursorHidden()).toBe(false);
  });

  it('is ended while a command is waited for, which only the end of the process can', {
    timeout,
  }, async () => {
    const project = await blocking(`(await import('node:child_process')).execFileSync('sleep', ['60'])`);
    const check = start(project, 'check');
    await project.begun();
    await setTimeout(200);
    check.signal('SIGTERM');
    await setTimeout(200);
    check.signal('SIGTERM');
    const { stderr } = await check.ended;
    expect(stderr).toContain('Stopped at once: what held the program up could not be ended otherwise');
  });

  it('is ended in a configuration, by a signal and after its time', { timeout }, async () => {
    const project = await projectOf({
      'argus.config.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.MARK, '');\n${forever}\nexport default {};\n`,
    });
    const signalled = start(project, 'check', '--format', 'json');
    const left = start(
      { ...project, env: { ...project.env, MARK: `${project.mark}-of-the-other` } },
      ...['check', '--format', 'json'],
    );
    await project.begun();
    signalled.signal('SIGTERM');
    const ended = await signalled.ended;
    expect([ended.code, JSON.parse(ended.stdout).error.code]).toEqual([143, 'CANCELLED']);
    const { code, stdout } = await left.ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'PLUGIN_BLOCKED',
      details: { plugin: null, where: `${join(project.cwd, 'argus.config.mjs')}:3` },
    });
  });

  it('does not end a command that takes longer than JavaScript may, and comes to its end', {
    timeout,
  }, async () => {
    const project = await blocking(`(await import('node:child_process')).execFileSync('sleep', ['4'])`);
    const { code, stdout } = await start(project, 'check', '--timeout', '2s', '--format', 'json').ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data.notices).toEqual([]);
  });
});

describe('a plugin that changes what everything in the process uses', () => {
  it.each([
    'Array.prototype.map = () => [];',
    `Promise.prototype.then = () => { throw new Error('spoilt'); };`,
    'Object.prototype.then = () => undefined;',
    'globalThis.setTimeout = (call) => { call(); };',
    `globalThis.clearTimeout = () => { throw new Error('spoilt'); };`,
  ])('while it checks costs no result of another: %s', { timeout }, async (spoil) => {
    const project = await projectOf({
      'plugin.mjs': plugin({ early: '', spoils: spoil, late: 'await null' }),
    });
    const { stdout } = await start(project, 'check', '--format', 'json').ended;
    const { data } = JSON.parse(stdout);
    expect(data.checks.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual([
      'held.early pass',
      // Its own may have needed what it has spoilt.
      expect.stringMatching(/^held\.spoils (pass|unknown)$/),
      'held.late pass',
    ]);
  });

  const spoil = `JSON.stringify = () => { throw new Error('spoilt') }; Object.prototype.spoilt = true;`;

  it.each<[string, Files, number, string]>([
    [
      'as it is loaded',
      { 'plugin.mjs': plugin({ well: '' }, spoil) },
      2,
      'plugin ./plugin.mjs cannot be loaded: it changes JSON.stringify',
    ],
    [
      'as it is applied',
      { 'plugin.mjs': plugin({ well: '' }).replace('hooks.checkers', `${spoil} hooks.checkers`) },
      2,
      'Plugin held: it changes JSON.stringify',
    ],
    ['while it checks', { 'plugin.mjs': plugin({ well: spoil }) }, 0, 'Plugin held: changes JSON.stringify'],
  ])('is named %s, and what it has changed is put back', { timeout }, async (_, files, expected, message) => {
    const { code, stdout } = await start(await projectOf(files), 'check', '--format', 'json').ended;
    expect(code).toBe(expected);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(message);
  });
});
