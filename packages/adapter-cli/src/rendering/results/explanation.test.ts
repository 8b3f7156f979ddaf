import { corePlugin, createKernel, type Explanation, runOperation, usePlugin } from '@argusai/core';
import disk from '@argusai/plugin-disk';
import docker from '@argusai/plugin-docker';
import orphans from '@argusai/plugin-orphans';
import ports from '@argusai/plugin-ports';
import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { viewOf } from '../views.js';

const kernel = createKernel({
  project: { name: 'demo', dir: '/' },
  plugins: [corePlugin, docker, disk, ports, orphans].map((plugin) => usePlugin(plugin, {}, 'built-in')),
});

const shown = (data: unknown) =>
  paint(viewOf('explain').lines?.(data, { kernel, input: {} }) ?? [], { color: false });

async function explained(name?: string): Promise<string> {
  const operation = kernel.operations.get('explain');
  if (!operation) throw new Error('there is no operation explain');
  const envelope = await runOperation(kernel, operation, name === undefined ? {} : { name });
  if (!envelope.ok) throw new Error(envelope.error.message);
  return shown(envelope.data);
}

describe('an explanation', () => {
  it('of a code says first what always helps, and then what helps only sometimes', async () => {
    expect(await explained('PORT_CONFLICT')).toContain(
      '\nwhat to type:\n  argus setup\n  argus fix\n  argus status\n',
    );
  });

  it('of a code tells all there is to know, with commands to type', async () => {
    const text = await explained('HEALTH_CHECK_TIMEOUT');
    expect(text).toContain('HEALTH_CHECK_TIMEOUT: A service is not healthy, or did not become so in time\n');
    expect(text).toContain('container, recoverable, declared by core\n');
    expect(text).toContain('\nwhat causes it:\n  The service needs');
    expect(text).toContain(
      '\n  docker.restart-container, disruptive: argus check --auto-fix may do it by itself at autonomy moderate, ' +
        'once 3 checks in a row have found it\n    Restarts containers',
    );
    expect(text).toContain('\nwhat to type:\n  argus setup\n  argus logs\n');
    expect(text).toMatch(/\nits details:\n {2}service {4}string[\s\S]*tries {6}number {2}How often/);
    expect(text).toMatch(
      /\nfound by: .*docker\.containers.*\nin the docs: errors\/HEALTH_CHECK_TIMEOUT\.md\n$/,
    );
  });

  it('says when argus may not act by itself, and when nobody repairs it', async () => {
    expect(await explained('DISK_SPACE_LOW')).toContain(
      'docker.prune, destructive: not by itself at autonomy moderate, only from full on or when you apply its plan\n',
    );
    expect(await explained('BUILD_FAILED')).toContain('It reports it; no loaded plugin repairs it.\n');
  });

  it('of a code says what helps by the reason, under what helps against the others', async () => {
    expect(await explained('DOCKER_UNAVAILABLE')).toContain(
      '\nwhat you can do:\n  Start Docker, or correct what the reason in the details names.\n' +
        '  by the reason in its details:\n' +
        '    not-installed  Install Docker, or leave the services out that need it.\n' +
        '    not-running    Start Docker (Docker Desktop, or systemctl start docker), or correct what says where it is.\n',
    );
    expect(await explained('SETUP_IN_PROGRESS')).not.toContain('by the reason');
  });

  it('fills in a placeholder for what a command needs', async () => {
    expect(await explained('CIRCUIT_OPEN')).toContain('\nwhat to type:\n  argus reset-circuit\n');
  });

  it('of a checker tells what it looks at and which codes it can give', async () => {
    expect(await explained('disk.space')).toBe(
      'disk.space: Free disk space where the project, temporary files and the engine of its containers live\n' +
        'checker, from the plugin disk\n' +
        'codes that it can give:\n  DISK_SPACE_LOW  Too little free disk space\n' +
        'look now: argus check --only disk.space\n',
    );
    const text = await explained('docker.containers');
    expect(text).toContain('only when docker.daemon did not fail\nlooks at what a setup has made\n');
  });

  it('of a recoverer tells its risk and the codes that it handles', async () => {
    const text = await explained('docker.prune');
    expect(text).toContain('\nrecoverer, from the plugin docker\ndestructive: not by itself');
    expect(text).toContain('\n  DOCKER_SPACE_RECLAIMABLE  Docker keeps much that could be removed\n');
  });

  it('of an operation tells what it does to the world', async () => {
    expect(await explained('status')).toContain('operation, from the plugin core; changes nothing\n');
    const text = await explained('clean');
    expect(text).toContain('may change something, also what cannot be had back\n');
    expect(text).toMatch(/\ntype: argus clean --help\n$/);
  });

  it('without a name lists the codes by plugin', async () => {
    const text = await explained();
    expect(text).toMatch(/^core\n {2}CONFIG_INVALID {15}The configuration is not valid\n/);
    expect(text).toContain('\ndisk\n  DISK_INODES_LOW              Too few free inodes\n');
    expect(text).toMatch(/\nargus explain CODE tells more about one of them\n$/);
  });

  it('shows no more than there is', () => {
    const bare: Explanation = {
      kind: 'code',
      code: 'BARE',
      summary: 'bare',
      category: 'system',
      severity: 'fatal',
      plugin: 'own',
      causes: [],
      foundBy: [],
      autonomy: 'full',
      recoverers: [],
      suggestedActions: [],
      details: [],
    };
    expect(shown(bare)).toBe(
      'BARE: bare\nsystem, fatal, declared by own\n\nwhat argus does:\n  It reports it; no loaded plugin repairs it.\n',
    );
    expect(shown({ ...bare, page: 'errors/BARE.md' })).toMatch(/\n\nin the docs: errors\/BARE\.md\n$/);
  });
});
