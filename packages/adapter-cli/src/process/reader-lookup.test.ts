import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../fixtures/demo-project.js';
import { readerLookup } from './reader-lookup.js';

function namedPipe(): string {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Somebody who reads a pipe: through an end of it that is open already, or as soon as there is a writer. */
function readerOf(path: string, end?: number) {
  const reader =
    end === undefined
      ? spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn('cat', { stdio: [end, 'pipe', 'inherit'] });
  if (end !== undefined) closeSync(end);
  if (!reader.stdout) throw new Error('it has no output');
  const { stdout } = reader;
  onTestFinished(() => void reader.kill('SIGKILL'));
  const ended = once(reader, 'close');
  return {
    async leave() {
      reader.kill('SIGKILL');
      await ended;
    },
    heard: () => once(stdout, 'data').then(([chunk]) => String(chunk)),
  };
}

describe('the lookup of a reader', () => {
  it('sees that the reader of a pipe has gone, and writes nothing to find out', async () => {
    const path = namedPipe();
    const reader = readerOf(path);
    const writer = await open(path, 'w');
    onTestFinished(() => writer.close());
    const isRead = readerLookup(writer.fd);
    expect([isRead(), isRead()]).toEqual([true, true]);
    const heard = reader.heard();
    await writer.write('one');
    expect(await heard).toBe('one');
    await reader.leave();
    expect(isRead()).toBe(false);
  });

  it('takes another one that reads on for the reader', async () => {
    const path = namedPipe();
    const first = readerOf(path);
    const writer = await open(path, 'w');
    onTestFinished(() => writer.close());
    const isRead = readerLookup(writer.fd);
    const second = readerOf(path, openSync(path, 'r'));
    const heard = second.heard();
    await first.leave();
    await writer.write('one');
    await heard;
    expect(isRead()).toBe(true);
    await second.leave();
    expect(isRead()).toBe(false);
  });

  it('believes in a reader that it cannot see, and in that of a file', () => {
    const path = namedPipe();
    const own = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, 'w');
    const isRead = readerLookup(writer);
    expect(isRead()).toBe(true);
    for (const end of [own, writer]) closeSync(end);
    const file = openSync(join(temporaryFolder(), 'file'), 'w');
    expect(readerLookup(file)()).toBe(true);
    closeSync(file);
  });
});
