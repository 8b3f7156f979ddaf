import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { defaultConfig } from '../config/schema.js';
import { definePlugin } from '../model/plugin.js';
import { runOperation } from '../operations/run-operation.js';
import { createMemoryStore } from '../state/memory-store.js';
import { checking, registering } from '../testing/build-kernel.js';
import { openArgus } from './open-argus.js';
import { stateDir } from './state-dir.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'argus-open-'));
});
afterEach(() => rm(dir, { recursive: true }));

const builtins = {
  '@argusai/plugin-tea': async () =>
    registering('tea', { checkers: [checking('tea.hot', ({ pass }) => pass('hot'))] }),
};

describe('openArgus', () => {
  it('runs the built-in plugins with their defaults where there is no configuration', async () => {
    const opened: string[] = [];
    const { kernel, configuration, close } = await openArgus({
      cwd: dir,
      builtins,
      env: { XDG_STATE_HOME: '/state' },
      openStore: (folder) => {
        opened.push(folder);
        return createMemoryStore();
      },
    });
    expect(configuration.file).toBeNull();
    expect(opened).toEqual(['/state/argus']);
    const check = kernel.operations.get('preflight-check');
    expect(check && (await runOperation(kernel, check, {}))).toMatchObject({
      data: { overall: 'healthy', checks: [{ name: 'tea.hot' }] },
    });
    await close();
  });

  it('gives the turn of a probe back when it is closed', async () => {
    const store = createMemoryStore();
    const left = vi.spyOn(store, 'close').mockResolvedValue();
    const open = () => openArgus({ cwd: dir, builtins, env: {}, openStore: () => store });
    const define = ({ kernel }: Awaited<ReturnType<typeof open>>) =>
      kernel.circuits.define({ name: 'thing', isFault: () => true, failureThreshold: 1 });
    const first = await open();
    const circuit = define(first);
    await circuit.execute(() => Promise.reject(new Error('down'))).catch(() => undefined);
    await circuit.reset();
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    void circuit.execute(() => {
      isAsked();
      return new Promise(() => undefined);
    });
    await asked;
    expect((await store.list('circuits'))[0]?.value).toMatchObject({
      turn: { process: { pid: process.pid } },
    });
    await first.close();
    expect(left).toHaveBeenCalledOnce();
    expect((await store.list('circuits'))[0]?.value).toMatchObject({ state: 'half-open', turn: null });
  });

  it('closes the store when a plugin breaks while it is applied', async () => {
    const store = createMemoryStore();
    const closed = vi.spyOn(store, 'close');
    const broken = definePlugin({
      name: 'broken',
      apply: () => {
        throw new Error('not today');
      },
    });
    const opening = openArgus({
      cwd: dir,
      env: {},
      openStore: () => store,
      builtins: { '@argusai/plugin-broken': async () => broken },
    });
    await expect(opening).rejects.toThrow('not today');
    expect(closed).toHaveBeenCalledOnce();
  });

  it('tells of a plugin that breaks without the secrets of its options and of the configuration', async () => {
    const config = {
      plugins: [['@argusai/plugin-broken', { token: 'Opt-S3cret-1' }]],
      services: { api: { command: 'sleep 1', environment: { DB_PASSWORD: 'Svc-S3cret-2' } } },
    };
    await writeFile(join(dir, 'argus.config.json'), JSON.stringify(config));
    const known: string[] = [];
    let knownBefore: string[] = [];
    const broken = definePlugin({
      name: 'broken',
      options: z.strictObject({ token: z.string() }),
      apply: ({ config: { services } }, { token }) => {
        knownBefore = [...known];
        throw new Error(`${token} and ${services.api?.environment?.DB_PASSWORD}`);
      },
    });
    const opening = openArgus({
      cwd: dir,
      env: { API_TOKEN: 'Env-S3cret-3' },
      openStore: () => createMemoryStore(),
      builtins: { '@argusai/plugin-broken': async () => broken },
      onSecrets: (found) => known.push(...found),
    });
    await expect(opening).rejects.toThrow('Plugin broken: [redacted] and [redacted]');
    expect(knownBefore).toEqual(expect.arrayContaining(['Opt-S3cret-1', 'Svc-S3cret-2', 'Env-S3cret-3']));
  });

  it('takes what the configuration says, found from a folder below it', async () => {
    await mkdir(join(dir, '.git'));
    await mkdir(join(dir, 'packages', 'api'), { recursive: true });
    await writeFile(join(dir, 'argus.config.yaml'), 'project: { name: shop }\nstate: { dir: .state }\n');
    const opened: string[] = [];
    const { kernel } = await openArgus({
      cwd: join(dir, 'packages', 'api'),
      builtins,
      env: {},
      openStore: (folder) => {
        opened.push(folder);
        return createMemoryStore();
      },
    });
    expect(kernel.project).toEqual({ name: 'shop', dir });
    expect(opened).toEqual([join(dir, '.state')]);
  });

  it('gives plugins the whole configuration', async () => {
    await writeFile(join(dir, 'e2e.yaml'), 'resilience: { preflight: { diskSpaceThreshold: 5GB } }\n');
    let threshold: number | undefined;
    const nosy = definePlugin({
      name: 'nosy',
      apply: ({ config }) => {
        threshold = config.resilience.preflight.diskSpaceThreshold;
      },
    });
    await openArgus({
      cwd: dir,
      env: {},
      builtins: { '@argusai/plugin-nosy': async () => nosy },
      openStore: () => createMemoryStore(),
    });
    expect(threshold).toBe(5_000_000_000);
  });
});

describe('the folder for state', () => {
  const project = { name: 'shop', dir: '/projects/shop' };
  const configured = { ...defaultConfig(), state: { dir: 'var' } };

  it.each([
    ['the variable first', configured, { ARGUS_STATE_DIR: '/here', XDG_STATE_HOME: '/xdg' }, '/here'],
    [
      'then the configuration, from the project’s folder',
      configured,
      { XDG_STATE_HOME: '/xdg' },
      '/projects/shop/var',
    ],
    ['then the XDG folder', defaultConfig(), { XDG_STATE_HOME: '/xdg' }, '/xdg/argus'],
    ['then the home folder', defaultConfig(), { HOME: '/me' }, '/me/.local/state/argus'],
    ['also without HOME', defaultConfig(), {}, join(homedir(), '.local/state/argus')],
    ['also with an empty HOME', defaultConfig(), { HOME: '' }, join(homedir(), '.local/state/argus')],
    ['also with a relative HOME', defaultConfig(), { HOME: 'me' }, join(homedir(), '.local/state/argus')],
    [
      'not a relative XDG folder',
      defaultConfig(),
      { XDG_STATE_HOME: 'rel', HOME: '/me' },
      '/me/.local/state/argus',
    ],
    [
      'not an empty XDG folder',
      defaultConfig(),
      { XDG_STATE_HOME: '', HOME: '/me' },
      '/me/.local/state/argus',
    ],
  ])('is %s', (_, config, env, expected) => {
    expect(stateDir(config, project, env)).toBe(expected);
  });
});
