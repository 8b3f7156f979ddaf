import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunIdentity } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownListeners } from './own-listeners.js';

const owner = { host: 'here', pid: 1, startedAt: 'then' };
const run: RunIdentity = { id: 'r1', project: 'p', worktree: '/p', store: 's', owner };
const container = {
  State: { Running: true },
  NetworkSettings: {
    Ports: { '8080/tcp': [] },
    Networks: { net: { IPAddress: '', GlobalIPv6Address: 'fd00:0:0:aaaa:bbbb:cccc:dddd:2' } },
  },
};
const client = { inspect: async <T>() => [container as T] };
const wayOut = { gateways: async () => ['127.0.0.1'] };

/** Whether a process with these words listens for the container, of which people are told less than all. */
async function judged(program: string, ...words: string[]): Promise<boolean | undefined> {
  const child = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1e6)', '--', ...words], {
    argv0: program,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const { pid = 0 } = child;
  const holder = { protocol: 'tcp' as const, address: '*', port: 80, pid, command: `${program} …` };
  return (await ownListeners(client, wayOut, run, 'web', [holder], new AbortController().signal))[0];
}

const proxy = `/nix/store/${'x'.repeat(180)}/docker-proxy`;
const from = ['-proto', 'tcp', '-host-ip', '::', '-host-port', '8080'];
const to = (port: string) => ['-container-ip', 'fd00:0:0:aaaa:bbbb:cccc:dddd:2', '-container-port', port];

describe.runIf(process.platform === 'linux')('who listens on the port of a container', () => {
  it('is its own proxy, however long the command line of that is', async () => {
    expect(await judged(proxy, ...from, ...to('8080'))).toBe(true);
    expect(await judged(proxy, ...from, ...to('8081'))).toBe(false);
  });

  it('may be a proxy that does not say for whom, or one of those who never say', async () => {
    expect(await judged(proxy, ...from)).toBeUndefined();
    for (const engine of ['/usr/bin/dockerd', 'rootlesskit', 'slirp4netns', '/sbin/init'])
      expect(await judged(engine)).toBeUndefined();
  });

  it('is a stranger that is anything else', async () => {
    expect(await judged('/usr/bin/nginx', ...from, ...to('8080'))).toBe(false);
  });
});
