import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdTcp } from '../fixtures/hold-port.js';
import type { ResolverReport, ResolverRequest } from '../fixtures/resolver.js';
import { tempFolder } from '../fixtures/temp-folder.js';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
// It cannot be bundled, so it is loaded from where the store finds it.
const libsql = createRequire(pathOf('../../../store-sqlite/package.json')).resolve('libsql');

// Below the package, so that what is not bundled is found from there.
const cache = pathOf('../../node_modules/.cache/');
mkdirSync(cache, { recursive: true });
const bundles = mkdtempSync(join(cache, 'resolver-'));
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

beforeAll(async () => {
  await build({
    config: false,
    silent: true,
    entry: [pathOf('../fixtures/resolver.ts')],
    outDir: bundles,
    format: 'esm',
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/^(?!libsql$)/],
    esbuildPlugins: [
      {
        name: 'libsql-of-the-store',
        setup: ({ onResolve }) => onResolve({ filter: /^libsql$/ }, () => ({ path: libsql, external: true })),
      },
    ],
    esbuildOptions(options) {
      options.alias = { '@argusai/core': pathOf('../fixtures/core.ts') };
    },
  });
});

/** Starts processes that share a store and lets all of them resolve at the same moment. */
async function resolveAtOnce(requests: readonly ResolverRequest[], dir: string) {
  const children = await Promise.all(
    requests.map(async () => {
      const child = fork(join(bundles, 'resolver.mjs'), [dir], { execArgv: [] });
      onTestFinished(() => kill(child));
      await told(child, 'ready');
      return child;
    }),
  );
  const reports = children.map((child) => told(child, 'resolved'));
  children.forEach((child, index) => void child.send(requests[index] ?? { ports: [] }));
  const resolved = (await Promise.all(reports)).map((report) =>
    report.tell === 'resolved' ? report.ports : [],
  );
  return { children, resolved };
}

async function told(child: ChildProcess, tell: ResolverReport['tell']): Promise<ResolverReport> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process ended without telling "${tell}"`);
  });
  const waiting = (async () => {
    for await (const [report] of on(child, 'message') as AsyncIterable<[ResolverReport]>) {
      if (report.tell === tell) return report;
      throw new Error(JSON.stringify(report));
    }
    throw new Error('unreachable');
  })();
  return Promise.race([waiting, ended]);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('processes that resolve ports at the same moment on one store', () => {
  it('never choose the same', async () => {
    const first = await freePorts(60);
    await holdTcp('127.0.0.1', first + 3);
    const ports = Array.from({ length: 8 }, (_, index) => first + index);
    const { resolved } = await resolveAtOnce([{ ports }, { ports }, { ports }, { ports }], tempFolder());
    const all = resolved.flat();
    expect(all).toHaveLength(32);
    expect(new Set(all).size).toBe(32);
    expect(all).not.toContain(first + 3);
    // What one of them could have was not lost between them.
    for (const port of ports.filter((one) => one !== first + 3)) expect(all).toContain(port);
  });

  it('leave their ports to others when they are killed', async () => {
    const port = await freePorts(3);
    const dir = tempFolder();
    const { children, resolved } = await resolveAtOnce([{ ports: [port] }, { ports: [port] }], dir);
    expect(new Set(resolved.flat()).size).toBe(2);
    await Promise.all(children.map(kill));
    expect((await resolveAtOnce([{ ports: [port, port + 1] }], dir)).resolved).toEqual([[port, port + 1]]);
  });
});
