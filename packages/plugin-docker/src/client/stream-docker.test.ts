import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { streamDocker } from './stream-docker.js';

/** An environment in which `docker` is a script. */
async function scripted(script: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'argus-stream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'docker'), 0o755);
  return { PATH: `${folder}${delimiter}${process.env.PATH}` };
}

/** Counts how often a handler is hung on any promise, other than by `await`. */
function countHandlers(): () => number {
  let count = 0;
  const own = Object.getOwnPropertyDescriptor(Promise.prototype, 'then') ?? {};
  const value = function (this: Promise<unknown>, ...handlers: Parameters<Promise<unknown>['then']>) {
    count += 1;
    return own.value.apply(this, handlers);
  };
  Object.defineProperty(Promise.prototype, 'then', { ...own, value });
  onTestFinished(() => void Object.defineProperty(Promise.prototype, 'then', own));
  return () => count;
}

async function read(script: string) {
  const { signal } = new AbortController();
  const lines: string[] = [];
  const stream = streamDocker([], { env: await scripted(script), signal });
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return { lines, ended: value };
    lines.push(`${value.stream}: ${value.text}`);
  }
}

describe('the output of a command, line by line', () => {
  it('has both streams, and then how it ended', async () => {
    const { lines, ended } = await read('echo one; echo two >&2; exit 3');
    expect(lines.sort()).toEqual(['stderr: two', 'stdout: one']);
    expect(ended).toEqual({ exitCode: 3, stdout: '', stderr: 'two' });
  });

  it('leaves nothing behind on the stream that is silent', async () => {
    // Whoever waits for two streams at once, anew for each line, hangs something on the silent one every time.
    const handlers = countHandlers();
    const { lines } = await read('yes line | head -n 5000');
    expect(lines).toHaveLength(5_000);
    expect(handlers()).toBeLessThan(1_000);
  });

  it('ends the command when nobody reads on', async () => {
    const { signal } = new AbortController();
    const env = await scripted('echo $$; exec sleep 600');
    let pid = 0;
    for await (const { text } of streamDocker([], { env, signal })) {
      pid = Number(text);
      break;
    }
    expect(pid).toBeGreaterThan(1);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
  });
});
