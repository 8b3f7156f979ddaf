import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@argusai/core';
import { describePlugin } from '@argusai/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import plugin from './index.js';
import { exampleCopier } from './recoverers/copy-example.js';

let dir: string;

// The contract that every plugin keeps, tried on a project whose settings file is missing.
describePlugin(plugin, {
  scenarios: [
    {
      name: 'a project that was cloned a moment ago',
      async prepare() {
        dir = await newProject();
        return { dir };
      },
      cleanup: () => rm(dir, { recursive: true }),
      observe: () => readdir(dir),
      repairedBy: '__name__.copy-example',
    },
  ],
});

describe('__name__.copy-example', () => {
  beforeEach(async () => {
    dir = await newProject();
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('never writes over settings that are there', async () => {
    await writeFile(join(dir, '.env'), 'PORT=4000\n');
    await exampleCopier({ file: '.env', example: '.env.example' }).apply({
      steps: [{ target: 'path:.env', action: 'create', description: 'Copy it', reversible: true }],
      signal: new AbortController().signal,
      project: { name: 'test', dir },
      clock: systemClock,
    });
    expect(await readFile(join(dir, '.env'), 'utf8')).toBe('PORT=4000\n');
  });
});

async function newProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), '__name__-'));
  await writeFile(join(folder, '.env.example'), 'PORT=3000\n');
  return folder;
}
