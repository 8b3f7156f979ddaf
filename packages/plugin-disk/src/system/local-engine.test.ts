import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { infoWith, listen } from '../fixtures/listen.js';
import { tempFolder } from '../fixtures/temp-folder.js';
import { findLocalEngine } from './local-engine.js';

const patience = () => ({
  clock: createSimulatedClock(),
  signal: new AbortController().signal,
  limitMs: 2_000,
});

describe('the search for a local engine', () => {
  it('finds the folder of an engine that answers', async () => {
    const { socket } = await listen(infoWith('/srv/engine'));
    expect(await findLocalEngine([socket], patience())).toEqual({ kind: 'found', rootDir: '/srv/engine' });
  });

  it('finds none where there is no socket', async () => {
    expect(await findLocalEngine(['/no/such/engine.sock'], patience())).toEqual({ kind: 'none' });
    expect(await findLocalEngine([], patience())).toEqual({ kind: 'none' });
  });

  it('finds none where a file is no socket', async () => {
    const file = join(await tempFolder(), 'engine.sock');
    await writeFile(file, '');
    expect(await findLocalEngine([file], patience())).toEqual({ kind: 'none' });
  });

  it('finds none behind a socket on which nobody listens any more', async () => {
    const socket = await abandonedSocket();
    expect(await findLocalEngine([socket], patience())).toEqual({ kind: 'none' });
  });

  it('tries the next socket when the first is not to be used', async () => {
    const { socket } = await listen(infoWith('/srv/rootless'));
    const found = await findLocalEngine([await abandonedSocket(), socket], patience());
    expect(found).toEqual({ kind: 'found', rootDir: '/srv/rootless' });
  });

  it('finds none when the engine refuses this user', async () => {
    const { socket } = await listen((_, response) => response.writeHead(403).end('no'));
    expect(await findLocalEngine([socket], patience())).toEqual({ kind: 'none' });
  });

  it('finds none when the socket is closed to this user', async () => {
    const { socket, dir } = await listen(infoWith('/srv/engine'));
    await chmod(dir, 0o755);
    await chmod(socket, 0o000);
    expect(await asOrdinaryUser(() => findLocalEngine([socket], patience()))).toEqual({ kind: 'none' });
  });

  it('says that an engine which accepts and never answers is silent', async () => {
    const clock = createSimulatedClock();
    const { socket, server } = await listen(() => undefined);
    const searching = findLocalEngine([socket], { ...patience(), clock });
    await once(server, 'request');
    await clock.advance(2_000);
    expect(await searching).toEqual({ kind: 'silent', socket, reason: 'no answer within 2000 ms' });
  });

  it('says that an engine which stops in the middle of its answer is silent', async () => {
    const clock = createSimulatedClock();
    const { socket, server } = await listen((_, response) =>
      response.writeHead(200).write('{"DockerRootDir":'),
    );
    const searching = findLocalEngine([socket], { ...patience(), clock });
    await once(server, 'request');
    await clock.advance(2_000);
    expect(await searching).toEqual({ kind: 'silent', socket, reason: 'no answer within 2000 ms' });
  });

  it('says that an engine which hangs up is silent', async () => {
    const { socket } = await listen((request) => request.socket.destroy());
    expect(await findLocalEngine([socket], patience())).toMatchObject({ kind: 'silent', socket });

    const later = await listen((request, response) => {
      response.writeHead(200).write('{');
      setImmediate(() => request.socket.destroy());
    });
    expect(await findLocalEngine([later.socket], patience())).toMatchObject({ kind: 'silent' });
  });

  it.each([
    ['an error', 500, '{"message":"broken"}'],
    ['something that is not JSON', 200, '<html>'],
    ['no folder', 200, '{"DockerRootDir":""}'],
  ])('says that an engine which answers with %s gave no information', async (_, status, body) => {
    const { socket } = await listen((_, response) => response.writeHead(status).end(body));
    const reason = `it gave no information about itself (HTTP ${status})`;
    expect(await findLocalEngine([socket], patience())).toEqual({ kind: 'silent', socket, reason });
  });

  it('ends at once when it is cancelled', async () => {
    const cancel = new AbortController();
    const { socket, server } = await listen(() => undefined);
    const searching = findLocalEngine([socket], { ...patience(), signal: cancel.signal });
    await once(server, 'request');
    cancel.abort(new Error('enough'));
    await expect(searching).rejects.toThrow('enough');
  });
});

/** A socket as a killed engine leaves it behind. */
async function abandonedSocket(): Promise<string> {
  const socket = join(await tempFolder(), 'engine.sock');
  const program = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(execFile(process.execPath, ['-e', program]), 'exit');
  return socket;
}

/** Root may open every socket, so root becomes nobody for a moment. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
