import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { containerProject } from '../environment/container-project.js';
import { processProject } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { folderWith } from '../support/folder-with.js';
import { makeTestImage } from '../support/test-image.js';

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

/** More than the ten listeners from which on Node warns. */
const count = 14;
const command = ['sh', '-c', 'echo here; exec sleep 1000'];
const healthcheck = { command: ['true'], interval: '1s', timeout: '20s', startPeriod: '60s' };

function servicesOf(service: object) {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  return Object.fromEntries(names.map((name) => [name, { command, healthcheck, ...service }]));
}

/** What is told of a service, by whatever kind of project. */
interface Told {
  readonly type: string;
  readonly data?: { readonly service?: string; readonly container?: string };
}

interface Tried {
  argus(...args: string[]): Promise<{ code: number | null }>;
  /** Starts a call that goes on by itself, and stops it once it has told something. */
  until(args: readonly string[], fits: (told: Told) => boolean): Promise<void>;
  /** Ends all services at once, as a crash would. */
  crashAll(): Promise<void>;
}

/** Tells when all services were told of. */
function ofAll(fits: (told: Told) => boolean) {
  const seen = new Set<string>();
  return (told: Told) => {
    const { service, container } = told.data ?? {};
    if (fits(told)) seen.add(service ?? container ?? '');
    return seen.size === count;
  };
}

async function tryEverything({ argus, until, crashAll }: Tried): Promise<void> {
  for (const args of [['setup'], ['status'], ['check'], ['logs']]) {
    expect([args, (await argus(...args)).code]).toEqual([args, 0]);
  }
  await until(
    ['logs', '--follow'],
    ofAll(({ type }) => type === 'log_line'),
  );
  let crash: Promise<void> | undefined;
  const isBack = ofAll(({ type }) => type === 'restart_success');
  await until(['guard'], (told) => {
    if (told.type === 'guard_state') crash ??= crashAll();
    return isBack(told);
  });
  await crash;
  expect((await argus('clean')).code).toBe(0);
}

let warnings: string;
beforeEach(async () => {
  // Of every Node that is started: the program, what it starts in the background, and what keeps services.
  warnings = join(await folderWith({}), 'warnings');
  vi.stubEnv('NODE_OPTIONS', `--redirect-warnings=${warnings}`);
});
afterEach(() => void vi.unstubAllEnvs());

function expectNoWarning(): void {
  expect(existsSync(warnings) ? readFileSync(warnings, 'utf8') : '').toBe('');
}

describe('many processes', () => {
  it('bring no warning of Node, whatever is done with them', { timeout }, async () => {
    const project = await processProject({ services: servicesOf({}) });
    await tryEverything({
      argus: project.argus,
      async until(args, fits) {
        const call = project.start(...args);
        await call.until(fits);
        call.child.kill('SIGINT');
        await call.ended;
      },
      async crashAll() {
        const { stdout } = await project.argus('check', '--only', 'process.services');
        const { checks } = JSON.parse(stdout).data;
        for (const { details } of checks) process.kill(details.pid, 'SIGKILL');
      },
    });
    expectNoWarning();
  });
});

describeWithEngine('many containers', ({ host }) => {
  it('bring no warning of Node, whatever is done with them', { timeout }, async () => {
    const image = await makeTestImage(host);
    const project = await containerProject(host, { config: { services: servicesOf({ image }) } });
    await tryEverything({
      argus: project.argus,
      async until(args, fits) {
        const call = project.begin(args);
        await call.until(fits);
        call.kill('SIGINT', 'alone');
        await call.ended();
      },
      async crashAll() {
        await project.docker('kill', ...Object.values(await project.containers()));
      },
    });
    expectNoWarning();
  });
});
