import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { newClient, serverEnv } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { until } from '../../packages/adapter-mcp/src/fixtures/until.js';
import {
  knownSecret,
  leaksIn,
  type SecretCase,
} from '../../packages/core/src/redact/fixtures/secret-cases.js';
import { containerProject } from '../environment/container-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { runArgus } from '../support/run-command.js';
import { makeTestImage } from '../support/test-image.js';
import { check, healthFilesOf, linesOf, reaching, services, share } from './leaking-project.js';
import { filesIn, followed, whole } from './told.js';

const timeout = 180_000;

/** Says all, again when it is told to, and ends when it is told to. */
const say = `cd /told
say() { cat $0.out; echo '~end~'; cat $0.err >&2; echo '~end~' >&2; }
say
while sleep 0.2; do
  if [ -e again-$0 ]; then rm again-$0; say; fi
  if [ -e crash-$0 ]; then rm crash-$0; exit 1; fi
done`;

/** What a container prints: Docker parts a line at every 16 kB, so one of each goes over two such borders. */
const printedBy = (cases: readonly SecretCase[]) => [
  ...cases.slice(0, 1).map((one) => reaching(one, 32_768)),
  ...linesOf(cases),
];

const filesOf = ({ name, cases }: (typeof services)[number]) => {
  const lines = printedBy(cases);
  const every = (rest: number) => `${lines.filter((_, at) => at % 2 === rest).join('\n')}\n`;
  return [[`${name}.out`, every(0)], [`${name}.err`, every(1)], ...healthFilesOf({ name, cases })];
};

describeWithEngine('no secret of containers is told', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('by any output, whole, coloured, split or cut', { timeout }, async () => {
    const serviceOf = ({ name, cases }: (typeof services)[number]) => ({
      image,
      command: ['sh', '-c', say, name],
      environment: { API_TOKEN: knownSecret },
      volumes: ['./told:/told'],
      healthcheck: {
        command: ['sh', '-c', `cd /told; ${check}`, name, String(cases.length)],
        interval: '100ms',
        retries: 100,
      },
    });
    const files = services.flatMap(filesOf).map(([name, text]) => [`told/${name}`, text]);
    const project = await containerProject(host, {
      config: {
        resilience: { container: { restartDelay: '10ms' } },
        services: Object.fromEntries(services.map((one) => [one.name, serviceOf(one)])),
      },
      files: Object.fromEntries(files),
    });
    const { dir: cwd, state } = project;
    const env = serverEnv({ ARGUS_STATE_DIR: state, DOCKER_HOST: host });
    const place = (name: string) => join(cwd, 'told', name);
    const everyone = (what: string) =>
      services.map(({ name }) => writeFileSync(place(`${what}-${name}`), ''));
    const outputs: Record<string, string> = {};
    const argus = async (...args: string[]) => {
      const { stdout, stderr } = await runArgus(args, { cwd, state, env });
      return stdout + stderr;
    };
    /** In both formats and by a tool at the same time: none waits for what another one looks at. */
    const told = (when: string, command: string, args: readonly string[], tool: string, given: object = {}) =>
      Promise.all([
        ...['pretty', 'json'].map(async (format) => {
          outputs[`${when}: ${command}, ${format}`] = await argus(command, ...args, '--format', format);
        }),
        whole(call, tool, { verbose: true, ...given }).then((text) => {
          outputs[`${when}: ${tool}, MCP`] = text;
        }),
      ]);
    const { call } = await newClient({ cwd, env });

    outputs.setup = await argus('setup', '--format', 'ndjson');
    outputs.follow = await followed(cwd, env, () => everyone('again'));
    await told('up', 'logs', ['--tail', '1000'], 'argus_logs', { tail: 1_000 });

    writeFileSync(place('ill'), '');
    for (let round = 0; round < share; round++) {
      writeFileSync(place('round'), String(round));
      await told(`ill ${round}`, 'check', [], 'argus_preflight_check');
    }
    await told('ill', 'status', [], 'argus_status');
    for (const name of ['ill', 'round']) rmSync(place(name));

    outputs['setup, guarded'] = await argus('setup', '--guard', '--format', 'ndjson');
    everyone('crash');
    const incidents = () => argus('incidents', '--last', '100', '--format', 'json');
    await until('all crashes were noted', async () => {
      const text = await incidents();
      return services.every(({ name }) => text.includes(`{"service":"${name}"`));
    });
    await told('guarded', 'status', [], 'argus_status');
    await told('guarded', 'incidents', ['--last', '100'], 'argus_incidents', { last: 100 });

    for (const [output, text] of Object.entries(outputs)) expect(leaksIn(text), output).toEqual([]);
    // Nothing told says something only where there was something to tell.
    const lines = services.reduce((sum, { cases }) => sum + printedBy(cases).length, 0);
    for (const output of ['follow', 'up: logs, json', 'up: argus_logs, MCP'])
      expect(outputs[output]?.split('[redacted').length, output).toBeGreaterThan(2 * lines);
    const stored = filesIn(state);
    for (const { path, text } of stored) expect(leaksIn(text), path).toEqual([]);
    expect(stored.some(({ name }) => /^guardian-.*\.log$/.test(name))).toBe(true);
  });
});
