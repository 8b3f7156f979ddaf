import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCircuits, createMemoryStore, EventBus, type RunContext, systemClock } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDockerClient } from '../../packages/plugin-docker/src/client/create-docker-client.js';
import { createDockerRuntime } from '../../packages/plugin-docker/src/runtime/docker-runtime.js';
import { serviceOf } from '../../packages/plugin-docker/src/runtime/fixtures/trial-run.js';

/** A Docker client that notes what it is started with: its command line, its environment, and what it finds at its input. */
function notingDocker() {
  const folder = mkdtempSync(join(tmpdir(), 'argus-noting-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  const program = join(folder, 'docker');
  writeFileSync(
    program,
    `#!/bin/sh
note='${notes}'/"$1.$$"
printf '%s\\n' "$@" > "$note.line"
env > "$note.env"
case "$*" in *--env-file=*) cat /dev/stdin > "$note.input" ;; esac
case "$1" in version) echo '{"Version":"1"}' ;; image) echo '[{"Id":"sha256:1"}]' ;; network) echo '[]' ;; esac
`,
  );
  chmodSync(program, 0o755);
  const read = (command: string, part: string) =>
    readdirSync(notes)
      .filter((name) => name.startsWith(`${command}.`) && name.endsWith(part))
      .map((name) => readFileSync(join(notes, name), 'utf8'))
      .join('');
  return {
    folder,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    read,
    lines: () =>
      readdirSync(notes)
        .filter((name) => name.endsWith('.line'))
        .map((name) => readFileSync(join(notes, name), 'utf8')),
  };
}

function runtimeOn(env: Record<string, string | undefined>, dir: string) {
  const events = new EventBus(systemClock);
  const store = createMemoryStore({ clock: systemClock });
  const config = { enabled: false, failureThreshold: 5, resetTimeoutMs: 30_000 };
  const circuits = createCircuits({ store, clock: systemClock, events, config });
  const client = createDockerClient({ circuits, clock: systemClock, env });
  const context: RunContext = {
    run: {
      id: 'r-1',
      project: 'shop',
      worktree: dir,
      store: 's',
      owner: { host: 'h', pid: 1, startedAt: 't' },
    },
    project: { name: 'shop', dir },
    services: [],
    events,
    clock: systemClock,
    signal: new AbortController().signal,
  };
  return { runtime: createDockerRuntime({ client, clock: systemClock, diskSpaceThreshold: 0 }), context };
}

const key = '-----BEGIN KEY-----\nhush-1\n-----END KEY-----\n';
const environment = {
  SSH_PRIVATE_KEY: key,
  TOKEN: 'hush-2',
  HTTP_PROXY: 'http://me:hush-3@proxy',
  DOCKER_AUTH_CONFIG: '{"auths":"hush-4"}',
  'odd.name': 'hush-5',
  PATH: '/hush-6',
};

describe('no value of a variable stands on a command line', () => {
  it('of a container, whatever it is called, and none changes the client', async () => {
    const docker = notingDocker();
    const { runtime, context } = runtimeOn(docker.env, docker.folder);
    await runtime.start(serviceOf('api', { image: 'shop:1', environment }), 'spec', context);
    expect(docker.lines().length).toBeGreaterThan(0);
    expect(docker.lines().filter((line) => line.includes('hush'))).toEqual([]);
    const own = docker.read('run', '.env');
    expect(own).toContain('hush-1');
    expect(own).toContain('TOKEN=hush-2');
    expect(own).not.toMatch(/hush-[3-6]/);
    expect(docker.read('run', '.input').split('\n')).toEqual([
      'HTTP_PROXY=http://me:hush-3@proxy',
      'DOCKER_AUTH_CONFIG={"auths":"hush-4"}',
      'odd.name=hush-5',
      'PATH=/hush-6',
      '',
    ]);
  });

  it('of a build, which refuses what would change the client', async () => {
    const docker = notingDocker();
    const { runtime, context } = runtimeOn(docker.env, docker.folder);
    const build = (args: Record<string, string>) =>
      runtime.build?.(serviceOf('api', { build: { context: docker.folder, args } }), context);
    await build({ TOKEN: 'hush-1', SSH_PRIVATE_KEY: key, http_proxy: 'http://me:hush-2@proxy' });
    expect(docker.lines().filter((line) => line.includes('hush'))).toEqual([]);
    expect(docker.read('build', '.line').split('\n')).toContain('--build-arg=TOKEN');
    expect(docker.read('build', '.env')).toContain('TOKEN=hush-1');
    await expect(build({ DOCKER_HOST: 'tcp://stranger' })).rejects.toMatchObject({
      code: 'BUILD_FAILED',
      message:
        'The image of api could not be built: build.args cannot be handed over: the Docker client would take DOCKER_HOST as meant for itself; give it another name',
    });
  });

  it('and one that there is no other way for is refused', async () => {
    const docker = notingDocker();
    const { runtime, context } = runtimeOn(docker.env, docker.folder);
    const service = serviceOf('api', { image: 'shop:1', environment: { HTTP_PROXY: 'a\nb' } });
    await expect(runtime.start(service, 'spec', context)).rejects.toMatchObject({
      code: 'SERVICE_START_FAILED',
      message: expect.stringMatching(/^api could not be started: the Docker client would take HTTP_PROXY/),
    });
    expect(docker.read('run', '.line')).toBe('');
  });
});
