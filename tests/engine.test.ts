import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from './support/describe-with-engine.js';
import { type Engine, startPrivateEngine } from './support/engine.js';
import { planTools, thisMachine } from './support/engine-tools.js';
import { makeTestImage, testImage } from './support/test-image.js';

async function docker(host: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', ['--host', host, ...args], { timeout: 20_000 });
  return stdout.trim();
}

describeWithEngine('the engine of the test run', ({ host, dockerRoot }) => {
  beforeAll(() => makeTestImage(host));

  it('answers at its address and at DOCKER_HOST', async () => {
    expect(await docker(host, 'info', '--format', '{{.DockerRootDir}}')).toBe(dockerRoot);
    expect(process.env.DOCKER_HOST).toBe(host);
  });

  it('runs a container of the test image', async () => {
    expect(await docker(host, 'run', '--rm', testImage, 'echo', 'hello')).toBe('hello');
  });

  it('publishes ports that can be reached on the loopback address', async () => {
    const serve = 'mkdir /www && echo hello > /www/index.html && exec httpd -f -p 80 -h /www';
    const id = await docker(host, 'run', '-d', '--rm', '-p', '127.0.0.1::80', testImage, 'sh', '-c', serve);
    try {
      const address = await docker(host, 'port', id, '80/tcp');
      await expect.poll(() => textFrom(`http://${address}/`), { timeout: 10_000 }).toBe('hello\n');
    } finally {
      await docker(host, 'kill', id);
    }
  });
});

const plan = planTools(thisMachine);
const noPrivate = 'missing' in plan ? plan.missing : plan.commands.length > 0 ? 'not installed' : undefined;

describe.skipIf(noPrivate)(`a private engine${noPrivate ? ` (${noPrivate})` : ''}`, () => {
  it('shares nothing with another one and leaves nothing behind, not even of what still ran in it', async () => {
    const network = await makeNetwork();
    const [one, two] = [await started(network), await started(network)];
    const folder = dirname(one.dockerRoot);
    try {
      await makeTestImage(one.host);
      const id = await docker(one.host, 'network', 'create', 'left-behind');
      const bridge = `br-${id.slice(0, 12)}`;
      await docker(one.host, 'run', '-d', '-p', '80', '--network', id, testImage, 'sleep', '1000');
      expect(await docker(one.host, 'ps', '--quiet')).not.toBe('');
      expect(await docker(two.host, 'ps', '--quiet')).toBe('');
      expect(await inNetwork(network, 'ip', 'link')).toContain(bridge);
      expect(await firewallRules(network)).toContain(bridge);
      expect(processesNaming(folder)).not.toEqual([]);

      await one.end();

      expect(existsSync(folder)).toBe(false);
      expect(processesNaming(folder)).toEqual([]);
      expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(folder);
      expect(await inNetwork(network, 'ip', 'link')).not.toContain(bridge);
      expect(await firewallRules(network)).not.toContain(bridge);
      expect(await docker(two.host, 'info', '--format', '{{.DockerRootDir}}')).toBe(two.dockerRoot);
    } finally {
      await Promise.all([one.end(), two.end()]);
    }
    expect(processesNaming(dirname(two.dockerRoot))).toEqual([]);
  });

  it('ends also when the process that started it is killed', async () => {
    const keeper = fileURLToPath(new URL('./support/engine-keeper.mjs', import.meta.url));
    const command = [`--net=${await makeNetwork()}`, process.execPath, keeper];
    const program = `require('node:child_process').spawn('nsenter', ${JSON.stringify(command)},
      { detached: true, stdio: ['pipe', 'inherit', 'inherit'] })`;
    const starter = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: starter.stdout }), 'line');
    const folder = dirname(JSON.parse(String(line)).dockerRoot);
    expect(processesNaming(folder)).not.toEqual([]);

    starter.kill('SIGKILL');

    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
    expect(processesNaming(folder)).toEqual([]);
  });
});

describe('the tools for a private engine', () => {
  const everything = ['unshare', 'apt-get', 'dockerd', 'docker', 'iptables', 'ip', 'busybox'];
  const machine = (missing: string[]) => ({
    platform: 'linux',
    isRoot: true,
    has: (program: string) => everything.includes(program) && !missing.includes(program),
  });

  it('need no installing where they are all there', () => {
    expect(planTools(machine([]))).toEqual({ commands: [] });
  });

  it('are installed from Debian where they are not', () => {
    const plan = planTools(machine(['dockerd', 'docker', 'iptables', 'ip', 'busybox']));
    expect(plan).toEqual({
      commands: [
        ['apt-get', '-o', 'DPkg::Lock::Timeout=120', 'update'],
        expect.arrayContaining([
          'install',
          '--no-install-recommends',
          'docker.io',
          'iptables',
          'busybox-static',
        ]),
        ['sh', '-c', expect.stringContaining('install -y --no-install-recommends docker-cli')],
      ],
    });
  });

  it('leave alone a client that is already there', () => {
    const plan = planTools(machine(['dockerd']));
    expect(JSON.stringify(plan)).not.toContain('docker-cli');
  });

  it.each([
    ['the machine is no Linux', { ...machine([]), platform: 'darwin' }, /Linux/],
    ['we are not root', { ...machine([]), isRoot: false }, /root/],
    ['there is no unshare', machine(['unshare']), /unshare/],
    ['there is nothing to install with', machine(['dockerd', 'apt-get']), /apt-get.*dockerd/],
  ])('cannot be had when %s, and the reason says so', (_, given, reason) => {
    expect(planTools(given)).toEqual({ missing: expect.stringMatching(reason) });
  });
});

/** A network for engines whose start must not be noticed by that of the run. It is gone with the test. */
async function makeNetwork(): Promise<string> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up; echo made; exec cat']);
  onTestFinished(() => void holder.stdin.end());
  await once(holder.stdout, 'data');
  return `/proc/${holder.pid}/ns/net`;
}

async function inNetwork(network: string, ...command: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('nsenter', [`--net=${network}`, ...command]);
  return stdout;
}

async function started(network: string): Promise<Engine> {
  const engine = await startPrivateEngine({ reachable: true, network });
  if ('missing' in engine) throw new Error(engine.missing);
  return engine;
}

function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((line) => line.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It ended since the folder was read.
    return '';
  }
}

function firewallRules(network: string): Promise<string> {
  return inNetwork(network, 'sh', '-c', 'iptables -S && iptables -t nat -S');
}

async function textFrom(url: string): Promise<string> {
  try {
    return await (await fetch(url)).text();
  } catch {
    // The container is not listening yet.
    return '';
  }
}
