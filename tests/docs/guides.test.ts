import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultConfig } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { argusProgram, runArgus, runCommand } from '../support/run-command.js';
import { projectOf, server } from './project-of.js';
import { filesOf, transcriptOf } from './snippets.js';

const run = (cwd: string, ...args: string[]) => runArgus(args, { cwd, state: join(cwd, 'state') });

describe('the guide about running tests', () => {
  it('shows suites that run with the services up', async () => {
    const cwd = await projectOf('docs/guides/running-tests.md', {
      'server.mjs': server,
      'smoke.mjs': `console.log(await (await fetch(process.env.ARGUS_URL_API)).text());`,
      'load.mjs': `console.log(process.argv[3] === process.env.ARGUS_URL_API, process.env.USERS);`,
    });
    const { code, stdout, stderr } = await run(cwd, 'run');
    expect(stdout).toBe('well\ntrue 10\n');
    expect(stderr).toContain('passed: 2 suites\n');
    expect(code).toBe(0);
  });
});

describe('the guide about ports and variables', () => {
  it('shows texts that follow the ports', async () => {
    const cwd = await projectOf('docs/guides/ports-and-variables.md', {
      'db.mjs': server,
      'server.mjs': `import { createServer } from 'node:http';
        const told = process.env.DATABASE === 'localhost:' + process.env.ARGUS_PORT_DB;
        createServer((_, response) => response.end(String(told))).listen(Number(process.env.PORT));`,
      'smoke.mjs': `console.log(process.argv[2] === process.env.ARGUS_URL_API);
        console.log(await (await fetch(process.argv[2])).text());`,
    });
    const { code, stdout, stderr } = await run(cwd, 'run');
    expect(stderr).toContain('passed: one suite\n');
    expect(stdout).toBe('true\ntrue\n');
    expect(code).toBe(0);
  });
});

describe('the guide about keeping it alive', () => {
  it('shows every setting, with its default', async () => {
    const cwd = await projectOf('docs/guides/keeping-it-alive.md');
    const { stdout } = await run(cwd, 'config', '--only', 'resilience.container', '--format', 'json');
    const { config, sources } = JSON.parse(stdout).data;
    expect(config.resilience.container).toEqual(defaultConfig().resilience.container);
    expect(sources.filter(({ from }: { from: string }) => from === 'default')).toEqual([]);
  });
});

describe('the guide about CI', () => {
  const files = Object.values(filesOf('docs/guides/in-ci.md')).join('\n');
  const steps = [...files.matchAll(/^ +- (?:run: )?(npx argus .*)$/gm)].map(([, command = '']) => command);

  it('has steps for more than one forge', () => expect(steps.length).toBeGreaterThan(2));

  it.each(steps)('shows a step that works: %s', async (step) => {
    const cwd = await projectOf('docs/guides/in-ci.md', {
      'argus.config.json': JSON.stringify({
        plugins: ['@argusai/plugin-process', ['@argusai/plugin-disk', { threshold: '1MB' }]],
        services: { api: { command: 'node server.mjs', ports: ['3000'] } },
        tests: { suites: [{ id: 'unit', command: 'node --version' }] },
      }),
      'server.mjs': server,
    });
    await installProgram(cwd);
    const env = { ARGUS_STATE_DIR: join(cwd, 'state') };
    expect(await runCommand('sh', ['-c', step], { cwd, env })).toMatchObject({ code: 0 });
  });

  it('shows what Nagios gets, with both limits', async () => {
    const [shown] = transcriptOf('docs/guides/in-ci.md');
    const cwd = await projectOf('docs/guides/in-ci.md', {
      'argus.config.json': JSON.stringify({ plugins: [['@argusai/plugin-disk', { threshold: '100MB' }]] }),
    });
    // The folders of an engine may lie on a filesystem of their own.
    const env = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    const { stdout } = await runArgus(shown?.args ?? [], { cwd, state: join(cwd, 'state'), env });
    expect(shapeOf(stdout)).toBe(shapeOf(shown?.output ?? ''));
    expect(shown?.output).toContain('B;100000000:;50000000:;0;');
  });
});

/** What Nagios gets, without what is measured and where: that differs from machine to machine. */
function shapeOf(output: string): string {
  return output
    .replaceAll(/=[\d.]+(ms|B)/g, '=0$1')
    .replaceAll(/;0;\d+/g, ';0;0')
    .replaceAll(/[\d.]+ \w+ free on \S+/g, '0 GB free on /')
    .replaceAll(/(disk\.space )\/\S*(?=:| available)/g, '$1/')
    .trim();
}

/** Puts argus where npx looks for it. */
async function installProgram(folder: string): Promise<void> {
  const bin = join(folder, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'argus'), `#!/bin/sh\nexec "${process.execPath}" "${argusProgram}" "$@"\n`);
  await chmod(join(bin, 'argus'), 0o755);
}
