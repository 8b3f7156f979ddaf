import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import type { LogLine, LogQuery } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until, type World } from '../fixtures/world.js';
import { outputPath } from '../programs/output-files.mjs';

describe('the logs of processes', () => {
  it('have both streams, with the time of each line', async () => {
    const world = await makeWorld();
    const before = Date.now();
    await world.start(service('api', { command: node('console.log("out"); console.error("err")') }));
    await world.ended('api');
    const lines = await logs(world, { services: ['api'], follow: false });
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({ service: 'api', stream: 'stdout', text: 'out', at: expect.any(Number) });
    expect(lines).toContainEqual({ service: 'api', stream: 'stderr', text: 'err', at: expect.any(Number) });
    for (const { at = 0 } of lines) expect(at).toBeGreaterThanOrEqual(before);
  });

  it('keep what a process says last, also without an end of the line', async () => {
    const world = await makeWorld();
    const script = 'process.stdout.write("x".repeat(200000) + "\\nlast words"); process.exitCode = 1';
    await world.start(service('api', { command: node(script) }));
    await world.ended('api');
    const [line] = await logs(world, { services: ['api'], tail: 1, follow: false });
    expect(line).toMatchObject({ text: 'last words' });
  });

  it('are rotated while the process goes on', async () => {
    const world = await makeWorld({ size: 2_000, files: 3 });
    const script = 'for (let i = 1; i <= 1000; i++) console.log("line " + i);';
    await world.start(service('api', { command: node(script) }));
    await world.ended('api');
    const kept = (await readdir(world.records.folderOf('run-1', 'api'))).filter((name) =>
      name.endsWith('.log'),
    );
    expect(kept.filter((name) => name.startsWith('output-')).length).toBeLessThanOrEqual(3);
    const lines = await logs(world, { services: ['api'], follow: false });
    expect(lines.at(-1)?.text).toBe('line 1000');
  });

  it('are told from the newest lines, across files, or since a moment', async () => {
    const world = await makeWorld();
    await write(world, 'api', 1, [1, 2, 3]);
    await write(world, 'api', 2, [4, 5]);
    const texts = async (query: Partial<LogQuery>) =>
      (await logs(world, { services: ['api'], follow: false, ...query })).map(({ text }) => text);
    expect(await texts({})).toEqual(['api 1', 'api 2', 'api 3', 'api 4', 'api 5']);
    expect(await texts({ tail: 1 })).toEqual(['api 5']);
    expect(await texts({ tail: 4 })).toEqual(['api 2', 'api 3', 'api 4', 'api 5']);
    expect(await texts({ tail: 9 })).toHaveLength(5);
    expect(await texts({ tail: 0 })).toEqual([]);
    expect(await texts({ since: 4 })).toEqual(['api 4', 'api 5']);
    expect(await texts({ since: 4, tail: 1 })).toEqual(['api 5']);
  });

  it('are those of the moment of asking, however fast more is written', async () => {
    const world = await makeWorld();
    await write(world, 'api', 1, [1, 2, 3]);
    const seen: string[] = [];
    const query = { services: ['api'], tail: 2, follow: false };
    for await (const { text } of world.runtime.logs(world.run, query, new AbortController().signal)) {
      seen.push(text);
      if (seen.length < 20) await write(world, 'api', 1 + Math.floor(seen.length / 3), [100 + seen.length]);
    }
    expect(seen).toEqual(['api 2', 'api 3']);
  });

  it('are told in the order of time when they are of several services', async () => {
    const world = await makeWorld();
    await write(world, 'api', 1, [1, 3, 5]);
    await write(world, 'web', 1, [2, 4]);
    const lines = await logs(world, { services: ['web', 'api', 'none'], follow: false });
    expect(lines.map(({ text }) => text)).toEqual(['api 1', 'web 2', 'api 3', 'web 4', 'api 5']);
  });

  it('are followed across files, for a service that comes later, and for one that comes back', async () => {
    const world = await makeWorld();
    await write(world, 'api', 1, [1]);
    const controller = new AbortController();
    const seen: string[] = [];
    const followed = (async () => {
      const query = { services: ['api', 'web'], follow: true };
      for await (const { text } of world.runtime.logs(world.run, query, controller.signal)) seen.push(text);
    })();
    await until(() => seen.includes('api 1'));
    await write(world, 'api', 1, [2]);
    await until(() => seen.includes('api 2'));
    await write(world, 'api', 2, [3]);
    await until(() => seen.includes('api 3'));
    await write(world, 'web', 1, [4]);
    await until(() => seen.includes('web 4'));
    await rm(world.records.folderOf('run-1', 'api'), { recursive: true });
    await write(world, 'api', 1, [5]);
    await until(() => seen.includes('api 5'));
    // Again with the same file, which has more in it by the time that somebody looks.
    await rm(world.records.folderOf('run-1', 'api'), { recursive: true });
    await write(world, 'api', 1, [6, 7, 8]);
    await until(() => seen.includes('api 8'));
    controller.abort();
    await followed;
    expect(seen).toEqual(['api 1', 'api 2', 'api 3', 'web 4', 'api 5', 'api 6', 'api 7', 'api 8']);
  });

  it('that are followed have the last words of a service that is replaced, and the first of the next', async () => {
    const world = await makeWorld();
    const script = (name: string) =>
      `process.on('SIGTERM', () => { console.log('${name} ends'); process.exit(0); }); console.log('${name} begins'); ${forever}`;
    const controller = new AbortController();
    const seen: string[] = [];
    await world.start(service('api', { command: node(script('the first')) }));
    const followed = (async () => {
      const query = { services: ['api'], follow: true };
      for await (const { text } of world.runtime.logs(world.run, query, controller.signal)) seen.push(text);
    })();
    await until(() => seen.includes('the first begins'));
    const resources = await world.runtime.resources({ project: world.run.project }, world.signal);
    await world.runtime.remove(resources, { graceMs: 60_000, signal: world.signal });
    await world.start(service('api', { command: node(script('the second')) }));
    await until(() => seen.includes('the second begins'));
    controller.abort();
    await followed;
    expect(seen).toEqual(['the first begins', 'the first ends', 'the second begins']);
  });

  it('are told only by whole lines', async () => {
    const world = await makeWorld();
    await write(world, 'api', 1, [1]);
    await appendFile(outputPath(world.records.folderOf('run-1', 'api'), 1), '2 o api');
    expect(await logs(world, { services: ['api'], follow: false })).toHaveLength(1);
  });

  it('are put together from the pieces that they are kept in, also of two streams', async () => {
    const world = await makeWorld();
    const dir = world.records.folderOf('run-1', 'api');
    await mkdir(dir, { recursive: true });
    await writeFile(outputPath(dir, 1), '1 o one\n2 O tw\n3 E er\n4 O o an\n5 o d\n');
    await writeFile(outputPath(dir, 2), '6 e ror\n7 o three\n8 O login: \n');
    const texts = async (tail?: number) => {
      const query = { services: ['api'], follow: false, ...(tail === undefined ? {} : { tail }) };
      return (await logs(world, query)).map(({ text }) => text);
    };
    expect(await texts()).toEqual(['one', 'two and', 'error', 'three', 'login: ']);
    expect(await texts(1)).toEqual(['login: ']);
    expect(await texts(2)).toEqual(['three', 'login: ']);
    // What begins within a line is not told: half of it may hold half a secret.
    expect(await texts(3)).toEqual(['three', 'login: ']);
    expect(await texts(9)).toHaveLength(5);
    await appendFile(outputPath(dir, 2), '9 o me\n10 O with hun\n');
    expect(await texts(2)).toEqual(['login: me', 'with …']);
  });

  it('go on after a line whose file was too old to be kept, without the rest of it', async () => {
    const world = await makeWorld();
    const dir = world.records.folderOf('run-1', 'api');
    await mkdir(dir, { recursive: true });
    await writeFile(outputPath(dir, 1), '1 o one\n2 o two\n3 O with hun\n');
    await writeFile(outputPath(dir, 2), '4 O ter2 and\n5 o more\n6 o three\n');
    const seen: string[] = [];
    for await (const { text } of world.runtime.logs(
      world.run,
      { services: ['api'], follow: false },
      world.signal,
    )) {
      seen.push(text);
      await rm(outputPath(dir, 1), { force: true });
    }
    expect(seen).toEqual(['one', 'two', 'with …', 'three']);
  });

  it('that are too long are cut, and not within a word', async () => {
    const world = await makeWorld();
    const script = `process.stdout.write('a '.repeat(524_200) + 'x'.repeat(5_000) + '\\nend\\n')`;
    await world.start(service('api', { command: node(script) }));
    await world.ended('api');
    const [long, last] = await logs(world, { services: ['api'], tail: 2, follow: false });
    expect(long?.text).toMatch(/ a … \(5000 more characters\)$/);
    expect(last?.text).toBe('end');
  });

  it('of a process that goes on come as it speaks', async () => {
    const world = await makeWorld();
    const script = `let i = 0; setInterval(() => console.log('tick ' + ++i), 20); ${forever}`;
    await world.start(service('api', { command: node(script) }));
    const seen: string[] = [];
    const query = { services: ['api'], follow: true };
    for await (const { text } of world.runtime.logs(world.run, query, world.signal)) {
      seen.push(text);
      if (seen.length === 5) break;
    }
    expect(seen).toEqual(['tick 1', 'tick 2', 'tick 3', 'tick 4', 'tick 5']);
  });
});

async function logs({ runtime, run, signal }: World, query: LogQuery): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of runtime.logs(run, query, signal)) lines.push(line);
  return lines;
}

/** Adds lines to a file of output as a keeper would. */
async function write({ records }: World, name: string, file: number, times: number[]): Promise<void> {
  const dir = records.folderOf('run-1', name);
  await mkdir(dir, { recursive: true });
  const text = times.map((at) => `${at} o ${name} ${at}\n`).join('');
  await (file === 1 ? appendFile : writeFile)(outputPath(dir, file), text);
}
