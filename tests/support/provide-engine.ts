import { readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { type EngineAddress, type NoEngine, openEngine } from './engine.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of this run, or why there is none. */
    engine: EngineAddress | NoEngine;
  }
}

/** Gives the selected tests an engine, if one of them asks for it, and ends it after the last. */
export default async function provideEngine(project: TestProject): Promise<() => Promise<void>> {
  const opened = await openFor(project);
  if ('missing' in opened) {
    project.provide('engine', opened);
    return async () => undefined;
  }
  const { host, dockerRoot, end } = opened;
  // A context that somebody set would win over the host.
  delete process.env.DOCKER_CONTEXT;
  process.env.DOCKER_HOST = host;
  project.provide('engine', { host, dockerRoot });
  return end;
}

async function openFor(project: TestProject) {
  if (!(await isAskedFor(project.vitest.state.getPaths()))) {
    return { missing: 'the test file does not name describeWithEngine, so none was started' };
  }
  const unwanted = process.env.ARGUS_NO_ENGINE === '1';
  const opened = unwanted ? { missing: 'ARGUS_NO_ENGINE is set' } : await openEngine(say);
  if ('missing' in opened) say(`Tests that need a Docker engine cannot run: ${opened.missing}`);
  return opened;
}

async function isAskedFor(files: string[]): Promise<boolean> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.some((text) => text.includes('describeWithEngine'));
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
