import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programOnPath } from '../../../../tests/support/engine-tools.js';
import { deafPort } from '../fixtures/deaf-port.js';
import { freePort } from '../fixtures/free-port.js';
import type { Attempt, Seen } from './probe.js';
import { ScriptReader, scriptWords } from './script.js';

/** Runs the script of this machine's shell with a few tools and no others. */
async function runWith(tools: Record<string, string>, attempts: readonly Attempt[]): Promise<Seen[]> {
  const folder = await mkdtemp(join(tmpdir(), 'argus-tools-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, program] of Object.entries(tools)) await symlink(program, join(folder, name));
  const { stdout } = await promisify(execFile)('/bin/sh', scriptWords(attempts, 1_000), {
    env: { PATH: folder },
    timeout: 30_000,
  });
  const reader = new ScriptReader();
  for (const line of stdout.split('\n')) reader.note(line);
  return reader.seen(attempts) ?? expect.fail('the script did not end');
}

/** A port that is open, one that is not, and names that lead somewhere and nowhere. */
async function attemptsHere(): Promise<Attempt[]> {
  const server = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return [
    { host: 'localhost', ports: [port, await freePort()] },
    { host: 'no-such-host.invalid', ports: [port] },
  ];
}

const busybox = programOnPath('busybox') ?? '';
const tool = (name: string) => programOnPath(name) ?? '';
const sets: Record<string, Record<string, string>> = {
  'bash and getent': { bash: tool('bash'), timeout: tool('timeout'), sh: '/bin/sh', getent: tool('getent') },
  'the nc of busybox': { nc: busybox, nslookup: busybox, timeout: busybox, sh: busybox, true: busybox },
  'an nc that can only look': { nc: tool('nc.openbsd'), getent: tool('getent') },
};
const usable = Object.entries(sets).filter(([, tools]) => Object.values(tools).every((path) => path !== ''));

describe('the script that looks from inside a container', () => {
  it.each(usable)('tells open from refused with %s', async (_, tools) => {
    const attempts = await attemptsHere();
    const [here, nowhere] = await runWith(tools, attempts);
    expect(here).toEqual({
      name: { status: 'resolved', latencyMs: expect.any(Number), addresses: [expect.any(String)] },
      ports: [
        { port: attempts[0]?.ports[0], status: 'open', latencyMs: expect.any(Number) },
        { port: attempts[0]?.ports[1], status: 'refused', latencyMs: expect.any(Number) },
      ],
    });
    // A name server may not be there to say that the name does not exist.
    expect(nowhere?.name.status).not.toBe('resolved');
    expect(nowhere?.ports).toMatchObject([{ status: 'unclear' }]);
  });

  it.each(usable)('notices with %s that nobody answers', async (_, tools) => {
    const [seen] = await runWith(tools, [{ host: 'localhost', ports: [await deafPort()] }]);
    expect(seen?.ports).toMatchObject([{ status: 'timed-out' }]);
  });

  it('says that it cannot tell when there are no tools', async () => {
    const [here] = await runWith({}, await attemptsHere());
    // The hosts file needs no tool.
    expect(here?.name.status).toBe('resolved');
    expect(here?.ports.map(({ status }) => status)).toEqual(['unclear', 'unclear']);
  });

  it('believes a name of the hosts file, and no comment in it', async () => {
    const [one] = await runWith({}, [{ host: 'no-such-host.invalid', ports: [] }]);
    expect(one).toEqual({
      name: { status: 'unclear', latencyMs: expect.any(Number), addresses: [] },
      ports: [],
    });
  });

  it('counts for nothing when it does not get to its end', () => {
    const reader = new ScriptReader();
    reader.note('- D 0');
    reader.note('- d 0 yes 10.0.0.1');
    reader.note('2.50 T 0 80');
    reader.note('2.52 t 0 80 open');
    expect(reader.seen([{ host: 'db', ports: [80] }])).toBeUndefined();
    reader.note('end');
    expect(reader.seen([{ host: 'db', ports: [80, 81] }])).toEqual([
      {
        name: { status: 'resolved', latencyMs: null, addresses: ['10.0.0.1'] },
        ports: [
          { port: 80, status: 'open', latencyMs: 20 },
          { port: 81, status: 'unclear', latencyMs: null },
        ],
      },
    ]);
  });
});
