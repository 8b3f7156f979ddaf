import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processStart } from '../environment/processes/process-identity.js';
import { createRedactor } from '../redact/redactor.js';
import { type Clock, systemClock } from '../time/clock.js';
import { pause } from '../time/pause.js';
import { type CommandOptions, runCommand } from './run-command.js';

const family = fileURLToPath(new URL('fixtures/family.mjs', import.meta.url));
const redactor = createRedactor();
const never = new AbortController().signal;

const run = (argv: string[], rest: Partial<CommandOptions> = {}, env = {}) =>
  runCommand({ argv, env }, { cwd: tmpdir(), clock: systemClock, redactor, signal: never, ...rest });
const node = (script: string) => [process.execPath, '-e', script];

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'argus-suites-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Streams that go to a file, and what is in it. */
async function intoFile(isToldToo = () => false) {
  const file = join(await folder(), 'out');
  writeFileSync(file, '');
  const descriptor = openSync(file, 'a');
  onTestFinished(() => closeSync(descriptor));
  return {
    streams: { stdio: ['ignore', descriptor, descriptor] as const, isToldToo },
    text: () => readFileSync(file, 'utf8'),
    /** Waits until the command has said so many lines. */
    async lines(count: number): Promise<string[]> {
      for (;;) {
        const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
        if (lines.length >= count) return lines;
        await pause(systemClock, 20);
      }
    },
  };
}

const areGone = async (pids: readonly string[]) => {
  const starts = await Promise.all(pids.map((pid) => processStart(Number(pid))));
  return starts.every((start) => start === undefined);
};

describe('a command', () => {
  it('is run in the folder and with the variables that it is given, and what it prints last is kept', async () => {
    const cwd = await folder();
    const script = `console.log(process.cwd() + process.env.WHO); console.error('!'); process.exitCode = 3`;
    const { output, ...end } = await run(node(script), { cwd }, { WHO: 'me' });
    expect(end).toEqual({ exitCode: 3, signal: null, timedOut: false });
    expect(output).toMatchObject({ bytes: cwd.length + 5, truncated: false });
    // Which of two pipes is read first is nobody's promise.
    expect(output?.tail.split('\n').toSorted()).toEqual(['', '!', `${cwd}me`]);
  });

  it('has no input where nobody gives it any', async () => {
    expect(await run(['cat'])).toMatchObject({ exitCode: 0, output: { tail: '' } });
  });

  it('is known by the signal that ended it', async () => {
    expect(await run(node(`process.kill(process.pid, 'SIGKILL')`))).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
    });
  });

  it('that does not exist or cannot be run ends as in a shell', async () => {
    expect(await run(['no-such-command'])).toMatchObject({
      exitCode: 127,
      problem: 'There is no command no-such-command',
    });
    const file = join(await folder(), 'data');
    writeFileSync(file, 'no program');
    expect(await run([file])).toMatchObject({
      exitCode: 126,
      problem: expect.stringContaining(`${file} cannot be run: `),
    });
    expect(await run(['echo', 'a\0b'])).toMatchObject({ exitCode: 126, problem: expect.any(String) });
  });

  it('is over when it ends, although what it has left behind still holds its output', async () => {
    const left: number[] = [];
    const command = `setsid sh -c 'echo $$; exec sleep 600' & while ! ps -o args= -p $! | grep -q ^sleep; do :; done`;
    const { exitCode, output } = await run(['/bin/sh', '-c', command], { onLeft: (pid) => left.push(pid) });
    // One with a group of its own was meant to stay.
    process.kill(Number(output?.tail));
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] });
  });

  it('takes along what it has left running in its group, which is asked first, and says so', async () => {
    const left: number[] = [];
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 20 };
    const deaf = `trap "" TERM; echo deaf; while :; do sleep 1; done`;
    const { output } = await run(['/bin/sh', '-c', `sleep 600 & echo $!; sh -c '${deaf}' & echo $!`], {
      clock,
      onLeft: (pid: number) => left.push(pid),
    });
    const pids = output?.tail.split('\n').filter((line) => /^\d+$/.test(line)) ?? [];
    expect(left).toEqual(expect.arrayContaining(pids.map(Number)));
    while (!(await areGone(pids))) await pause(systemClock, 20);
  });

  it('leaves alone what it has not started', async () => {
    const other = spawn('sleep', ['600']);
    onTestFinished(() => void other.kill('SIGKILL'));
    await run(['true']);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    expect(await processStart(other.pid ?? 0)).toBeDefined();
  });

  it('prints where it is told to', async () => {
    const { streams, text } = await intoFile();
    const end = await run(node('console.log(1); console.error(2)'), { streams });
    expect(end).toEqual({ exitCode: 0, signal: null, timedOut: false });
    expect(text()).toBe('1\n2\n');
  });
});

describe('a command that takes too long', () => {
  it('is ended with all that it has started', async () => {
    const { streams, lines } = await intoFile();
    let late: () => void = () => undefined;
    const clock: Clock = {
      ...systemClock,
      after(ms, callback, options) {
        if (ms !== 777) return systemClock.after(ms, callback, options);
        late = callback;
        return () => undefined;
      },
    };
    const running = run([process.execPath, family], { streams, clock, timeoutMs: 777 });
    const pids = await lines(2);
    late();
    expect(await running).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
    expect(await areGone(pids)).toBe(true);
  });

  it('is ended at once when the time was over before it began', async () => {
    expect(await run(['sleep', '600'], { timeoutMs: 0 })).toMatchObject({ timedOut: true });
  });
});

describe('a command that is cancelled', () => {
  it('is asked to end, and killed with all that it has started when it does not', async () => {
    const { streams, lines } = await intoFile();
    const stop = new AbortController();
    // Time passes faster here: nobody should have to wait for the grace.
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 20 };
    const running = run([process.execPath, family, 'stubborn'], { streams, clock, signal: stop.signal });
    const pids = await lines(2);
    stop.abort();
    expect(await running).toMatchObject({ signal: 'SIGKILL', timedOut: false });
    while (!(await areGone(pids))) await pause(systemClock, 20);
  });

  it('is left to end by itself when it was told as well', async () => {
    const { streams, lines, text } = await intoFile(() => true);
    const stop = new AbortController();
    const script = `
      process.on('SIGINT', () => setTimeout(() => { console.log('done'); process.exit(7); }, 300));
      process.on('SIGTERM', () => console.log('asked'));
      setInterval(() => {}, 1000); console.log(process.pid)`;
    const running = run(node(script), { streams, signal: stop.signal });
    const [pid] = await lines(1);
    process.kill(Number(pid), 'SIGINT');
    stop.abort();
    expect(await running).toMatchObject({ exitCode: 7 });
    expect(text()).toBe(`${pid}\ndone\n`);
  });

  it('that its terminal has ended gives this process a moment to hear of it too', async () => {
    const controller = new AbortController();
    const { streams } = await intoFile();
    const ended = node("process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)");
    /** Time in which something else happens while it is waited for the terminal. */
    const clock = (meanwhile: (over: () => void) => void): Clock => ({
      ...systemClock,
      after(ms, callback, options) {
        if (ms !== 250) return systemClock.after(ms, callback, options);
        meanwhile(callback);
        return () => undefined;
      },
    });
    const alone = clock((over) => over());
    const end = { exitCode: null, signal: 'SIGINT', timedOut: false };
    expect(await run(ended, { streams, clock: alone, signal: controller.signal })).toEqual(end);
    const together = clock(() => controller.abort());
    expect(await run(ended, { streams, clock: together, signal: controller.signal })).toEqual(end);
    expect(controller.signal.aborted).toBe(true);
  });

  it('is not even let to begin its work when that happened before', async () => {
    expect(await run(['sleep', '600'], { signal: AbortSignal.abort() })).toMatchObject({ signal: 'SIGTERM' });
  });
});
