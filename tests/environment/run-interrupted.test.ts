import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processStart } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { argusProgram } from '../support/run-command.js';
import { ask } from './process-project.js';
import { type RunProject, runProject, script } from './run-project.js';

const nothing = { processes: [], records: [] };
/** Says when it is ready, and what it is told, and ends with 9 when that is to end, unless it is stubborn. */
const patient = (isStubborn = false) =>
  script(`
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
      console.log('got ' + signal);
      ${isStubborn ? '' : 'setTimeout(() => process.exit(9), 200);'}
    });
    setInterval(() => {}, 1000);
    console.log('ready ' + process.pid);`);

/** Waits until the tests say that they are ready; gives the number of their process. */
async function ready({ child }: ReturnType<RunProject['launch']>): Promise<number> {
  let text = '';
  while (!text.includes('\n')) text += (await once(child.stdout ?? child, 'data'))[0];
  const pid = Number(text.split(' ')[1]);
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });
  return pid;
}

describe('a terminal', () => {
  /** Runs a shell command on a terminal of its own. */
  const terminal = (project: RunProject, args: string) => {
    const command = `trap : INT; '${process.execPath}' '${argusProgram}' ${args}; echo "ended with $?"`;
    const child = spawn('script', ['-qec', command, join(project.dir, 'typescript')], {
      cwd: project.dir,
      env: { ...process.env, ARGUS_STATE_DIR: project.state, TERM: 'xterm', SHELL: '/bin/sh', CI: '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };

  it('is one to the tests as well', async () => {
    const project = await runProject([
      {
        id: 'tty',
        command: script(
          'const { stdin, stdout, stderr } = process; console.log([stdin, stdout, stderr].map(({ isTTY }) => isTTY).join())',
        ),
      },
    ]);
    const child = terminal(project, 'run');
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await once(child, 'close');
    expect(text).toContain('true,true,true\r\n');
    expect(text).toContain('✓');
    expect(text).toContain('ended with 0');
  });

  it('interrupts the tests once with Ctrl-C; argus waits for them, takes down and ends with 130', async () => {
    const project = await runProject([
      { id: 'a', command: patient() },
      { id: 'b', command: 'echo never' },
    ]);
    const child = terminal(project, 'run');
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (/ready \d/.test(text) && !child.stdin.writableEnded) child.stdin.end('\x03');
    });
    await once(child, 'close');
    expect(text.match(/got SIG\w+/g)).toEqual(['got SIGINT']);
    expect(text).toContain('The tests were stopped during a; everything was taken down');
    expect(text).toContain('ended with 130');
    expect(text).not.toContain('never\r\n');
    expect(await project.leftovers()).toEqual(nothing);
  });
});

describe('argus run that is told to end', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s tells the tests, waits for them and takes down', async (signal, expected) => {
    const project = await runProject([{ id: 'a', command: patient() }]);
    const running = project.launch('run');
    await ready(running);
    running.child.kill(signal);
    const { code, out, err } = await running.ended;
    expect(out.toString()).toContain('got SIGTERM\n');
    expect(err).toContain('The tests were stopped during a; everything was taken down');
    expect(code).toBe(expected);
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('tells how the suites ended that had ended', async () => {
    const project = await runProject([
      { id: 'one', command: script('process.exit(3)') },
      { id: 'two', command: patient() },
    ]);
    const running = project.launch('run');
    await ready(running);
    running.child.kill('SIGINT');
    const { err } = await running.ended;
    expect(err).toMatch(
      /^fail {4}one {2}exit code 3, .*\nunknown two {2}was stopped, .*\nerror: The tests were stopped during two;/m,
    );
  });

  it('by two signals at the same moment is told once', async () => {
    const project = await runProject([{ id: 'a', command: patient() }]);
    const running = project.launch('run');
    await ready(running);
    running.child.kill('SIGTERM');
    running.child.kill('SIGHUP');
    expect((await running.ended).err).toContain('everything was taken down');
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('leaves up what was up before', async () => {
    const project = await runProject([{ id: 'a', command: patient() }]);
    await project.argus('setup');
    const running = project.launch('run');
    await ready(running);
    running.child.kill('SIGINT');
    expect((await running.ended).err).toContain('the environment is still up');
    expect((await ask(project.port)).pid).toBeGreaterThan(0);
  });

  it('twice ends at once, and the next one mends it', async () => {
    const project = await runProject([
      { id: 'a', command: patient(true) },
      { id: 'b', command: 'true' },
    ]);
    const running = project.launch('run', 'a');
    const pid = await ready(running);
    running.child.kill('SIGINT');
    await once(running.child.stdout ?? running.child, 'data');
    // One that comes at once is taken for the first.
    const again = setInterval(() => running.child.kill('SIGINT'), 50);
    const [code] = await once(running.child, 'exit');
    clearInterval(again);
    expect(code).toBe(130);
    // The tests, which are left, hold the streams open.
    process.kill(pid, 'SIGKILL');
    expect((await running.ended).err).toContain(
      'Stopped at once. The tests and the services that were started for them may still run; argus clean takes them down\n',
    );
    expect((await project.run('run', 'b')).code).toBe(0);
    const { records } = await project.leftovers();
    expect(records).toEqual([]);
  });
});

describe('argus run that is killed', () => {
  it('has ended its environment: the next one cleans up and has its ports', async () => {
    const project = await runProject([
      { id: 'a', command: patient() },
      { id: 'b', command: 'true' },
    ]);
    const running = project.launch('run', 'a');
    const pid = await ready(running);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    process.kill(pid, 'SIGKILL');
    expect((await project.argus('status')).data.run).toMatchObject({ state: 'up', alive: false });
    const { code, json } = await project.run('run', 'b', '--format', 'json');
    expect(json().data.setup).toMatchObject({
      unchanged: false,
      services: [{ endpoints: [`http://localhost:${project.port}`] }],
    });
    expect(code).toBe(0);
    expect(await project.leftovers()).toEqual(nothing);
  });

  it.each([
    ['run', ['run', 'b']],
    ['setup', ['setup']],
    ['clean', ['clean']],
  ])('has its tests ended by the next %s, with all that they have started', async (_, next) => {
    const below = script(`console.log('ready ' + process.pid); setInterval(() => {}, 1000)`);
    const above = script(`
      require('node:child_process').spawn(process.execPath, ${JSON.stringify(below.slice(1))}, { stdio: 'inherit' });
      setInterval(() => {}, 1000);`);
    const project = await runProject([
      { id: 'a', command: above },
      { id: 'b', command: 'true' },
    ]);
    const running = project.launch('run', 'a');
    const pid = await ready(running);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    expect(await processStart(pid)).toBeDefined();
    const { code, err, out } = await project.run(...next);
    expect(`${out}${err}`).toMatch(/removed command a(?:: the tests of a killed argus, process \d+)?\n/);
    expect(code).toBe(0);
    expect(await processStart(pid)).toBeUndefined();
    await project.run('clean');
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('has its command found and planned, and a repair ends what is in the plan and nothing else', async () => {
    const project = await runProject([]);
    const running = project.launch('run', '--', ...patient(), '--', '--password=hunter2-hunter2');
    const pid = await ready(running);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    const fix = async (...args: string[]) =>
      (await project.run('fix', ...args, '--format', 'json')).json().data as unknown as {
        plan: { hash: string; steps: { target: string; data: object }[] };
        report: { steps: { target: string }[] };
      };

    const { plan } = await fix('--plan');
    const command = plan.steps.find(({ data }) => 'pid' in data && data.pid === pid);
    expect(command).toMatchObject({
      target: expect.stringMatching(/^process:/),
      description: expect.stringContaining('the argus that ran it'),
      data: { type: 'process', name: expect.stringContaining(process.execPath), service: 'command' },
    });
    expect(JSON.stringify(plan)).not.toContain('hunter2');
    const { report } = await fix('--apply', plan.hash);
    expect(report.steps.find(({ target }) => target === command?.target)).toMatchObject({
      outcome: 'applied',
      verdict: 'recovered',
    });
    expect(await processStart(pid)).toBeUndefined();
    expect((await project.leftovers()).processes).toEqual([]);
  });

  it('can be cleaned up after', async () => {
    const project = await runProject([{ id: 'a', command: patient() }]);
    const running = project.launch('run');
    const pid = await ready(running);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    process.kill(pid, 'SIGKILL');
    expect((await project.argus('clean', '--all-runs')).data.removed).toMatchObject([{ name: 'api' }]);
    expect(await project.leftovers()).toEqual(nothing);
  });
});
