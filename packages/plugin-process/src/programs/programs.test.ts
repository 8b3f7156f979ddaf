import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from '@argusai/core';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../fixtures/temp-folder.js';
import { until } from '../fixtures/world.js';
import { addEvent, readState, statePath, writeState } from './keeper-state.mjs';
import { LineSplitter } from './line-splitter.mjs';
import { formatLine, OutputFiles, parseLine } from './output-files.mjs';
import { carries, membersOf, startOf } from './process-table.mjs';

describe('lines of output', () => {
  it('come out as they went in, however they were cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '𝄞', '\n', ' '), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const splitter = new LineSplitter();
        const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const lines = ends.flatMap((end, index) => splitter.push(bytes.subarray(ends[index - 1] ?? 0, end)));
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect([...lines, ...splitter.end()]).toEqual(expected.map((text) => ({ text, goesOn: false })));
      }),
    );
  });

  it('lose the carriage return, and come in pieces when they do not end', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from('one\r\ntwo'))).toEqual([{ text: 'one', goesOn: false }]);
    const pieces = [...splitter.push(Buffer.from('x'.repeat(40_000))), ...splitter.end()];
    expect(pieces.map(({ text, goesOn }) => [text.length, goesOn])).toEqual([
      [16_384, true],
      [16_384, true],
      [7_235, false],
    ]);
  });

  it('without an end can be had as far as they go, and once', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from('one\npassword: '))).toEqual([{ text: 'one', goesOn: false }]);
    expect([splitter.flush(), splitter.flush(), splitter.push(Buffer.from('\n')), splitter.end()]).toEqual([
      [{ text: 'password: ', goesOn: true }],
      [],
      [{ text: '', goesOn: false }],
      [],
    ]);
    splitter.push(Buffer.from('and'));
    expect([splitter.flush(), splitter.end()]).toEqual([
      [{ text: 'and', goesOn: true }],
      [{ text: '', goesOn: false }],
    ]);
  });

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('stdout', 'stderr'), fc.string(), fc.boolean(), (...line) => {
        const [at, stream, said, goesOn] = line;
        const text = said.replaceAll('\n', '');
        const kept = formatLine(at, stream, text, goesOn);
        expect(parseLine(kept.slice(0, -1))).toEqual({ at, stream, text, ...(goesOn ? { goesOn } : {}) });
      }),
    );
    expect(parseLine('something else')).toBeUndefined();
  });
});

describe('files of output', () => {
  it('are begun anew when they are full, and only the newest are kept', async () => {
    const dir = await tempFolder();
    const files = new OutputFiles(dir, { size: 10, files: 2 });
    for (const line of ['first line\n', 'second line\n', 'third line\n', 'x\n']) files.write(line);
    files.close();
    expect((await readdir(dir)).sort()).toEqual(['output-000003.log', 'output-000004.log']);
    expect(await readFile(join(dir, 'output-000004.log'), 'utf8')).toBe('x\n');
  });

  it('are continued by whoever comes next', async () => {
    const dir = await tempFolder();
    const write = (line: string) => {
      const files = new OutputFiles(dir, { size: 10, files: 2 });
      files.write(line);
      files.close();
    };
    write('a\n');
    write('b\n');
    expect(await readFile(join(dir, 'output-000001.log'), 'utf8')).toBe('a\nb\n');
  });

  it('lose what cannot be written, and do not break', async () => {
    const dir = await tempFolder();
    const files = new OutputFiles(dir, { size: 10, files: 2 });
    const { rm, mkdir } = await import('node:fs/promises');
    await rm(dir, { recursive: true });
    files.write('lost\n');
    await mkdir(dir);
    files.write('kept\n');
    expect(await readFile(join(dir, 'output-000001.log'), 'utf8')).toBe('kept\n');
    files.close();
  });
});

describe('the state of a keeper', () => {
  it('is read as it was written, and keeps the newest events', async () => {
    const dir = await tempFolder();
    expect(readState(dir)).toBeUndefined();
    const state: Parameters<typeof writeState>[1] = {
      keeper: { pid: 1, start: 'x', socket: 'keeper-1.sock' },
      phase: 'running',
      starts: 1,
      events: [],
    };
    for (let at = 1; at <= 60; at += 1) addEvent(state, { type: 'started', at, pid: at });
    writeState(dir, state);
    expect(readState(dir)).toEqual(state);
    expect(state.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
  });

  it('is nothing when it cannot be understood', async () => {
    const dir = await tempFolder();
    await writeFile(statePath(dir), '{"keeper":');
    expect(readState(dir)).toBeUndefined();
  });
});

describe('the table of processes', () => {
  it('knows starts and groups also where only ps can tell', async () => {
    const leader = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    await once(leader, 'spawn');
    onTestFinished(() => void leader.kill('SIGKILL'));
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
    Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
    const pid = leader.pid ?? 0;
    expect(startOf(pid)).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
    expect(membersOf(pid)).toEqual([pid]);
    leader.kill('SIGKILL');
    await once(leader, 'exit');
    expect(startOf(pid)).toBeUndefined();
    expect(membersOf(pid)).toEqual([]);
    expect(carries(pid, 'ARGUS_TEST_MARK', 'x')).toBe(false);
  });

  it('knows the start of a process in the words of core', async () => {
    expect(startOf(process.pid)).toBe(await processStart(process.pid));
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    expect(startOf(pid)).toBeUndefined();
  });

  it('knows the members of a group and what they carry', async () => {
    const leader = spawn('/bin/sh', ['-c', 'sleep 1000 & sleep 1000'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ARGUS_TEST_MARK: 'a b' },
    });
    await once(leader, 'spawn');
    const group = leader.pid ?? 0;
    onTestFinished(() => void (membersOf(group).length > 0 && process.kill(-group, 'SIGKILL')));
    await until(() => membersOf(group).length === 3);
    for (const pid of membersOf(group)) {
      expect(carries(pid, 'ARGUS_TEST_MARK', 'a b')).toBe(true);
      expect(carries(pid, 'ARGUS_TEST_MARK', 'a')).toBe(false);
    }
    process.kill(-group, 'SIGKILL');
    await until(() => membersOf(group).length === 0);
    expect(carries(group, 'ARGUS_TEST_MARK', 'a b')).toBe(false);
  });
});
