import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { containerProject } from '../environment/container-project.js';
import { freePorts } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { many } from '../support/many.js';
import { makeTestImage } from '../support/test-image.js';
import { fixture, mulberry, strangerOn, visiting, visitOf } from './stranger.js';

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

/** How often it is tried at random moments; `npm run test:long` asks for more. */
const rounds = Math.min(100, many(3).numRuns);
const seed = Number(process.env.ARGUS_TEST_SEED ?? randomInt(2 ** 31));

describeWithEngine('a stranger on the port of a container', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  const projectOn = async (port: number, ms: number, strategy: 'auto' | 'fail', check = {}) => {
    const serve = `mkdir -p /www && printf own > /www/index.html && sleep ${ms / 1_000} && exec httpd -f -p 80 -h /www`;
    const web = { image, command: ['sh', '-c', serve], ports: [`127.0.0.1:${port}:80`], ...check };
    const project = await containerProject(host, {
      config: {
        resilience: { network: { portConflictStrategy: strategy }, preflight: { enabled: false } },
        services: { web },
        tests: { suites: [{ id: 'smoke', command: [process.execPath, fixture('suite.mjs'), 'who'] }] },
      },
    });
    const file = join(project.dir, 'who');
    return { project, who: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) };
  };
  const often = { interval: '50ms', timeout: '1s', retries: 5, startPeriod: '20s' };
  const checked = { healthcheck: { http: '/', ...often } };

  it('is told wherever a service is described whose container has ended', { timeout }, async () => {
    const port = await freePorts(1);
    const { project, who } = await projectOn(port, 0, 'fail', checked);
    expect((await project.argus('setup')).error).toBeUndefined();
    const { web = '' } = await project.containers();
    await project.docker('kill', web);
    const { pid, took } = await strangerOn(port);
    expect(took).toBe(true);
    expect((await project.argus('status')).data.services).not.toMatchObject([{ health: 'healthy' }]);
    const run = await project.argus('run');
    expect(run.error).toMatchObject({ code: 'PORT_CONFLICT', details: { service: 'web', port, pid } });
    expect(who()).toBeUndefined();
  });

  it(`never passes for the service, whenever he comes (${rounds} times, seed ${seed})`, {
    timeout: rounds * 30_000,
  }, async () => {
    const chance = mulberry(seed);
    const tally: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      const visit = visitOf(round, chance);
      const { moment, manner, strategy } = visit;
      const port = await freePorts(2);
      const { project, who } = await projectOn(port, Math.round(chance() * 600), strategy, checked);
      const plan = `${moment} ${manner} ${strategy}`;
      if (moment === 'after') {
        expect((await project.argus('setup')).error, plan).toBeUndefined();
        const { web = '' } = await project.containers();
        await project.docker('kill', web);
      }
      const coming = await visiting(visit, port, chance() * 2_000);
      const run = await project.argus('run');
      const stranger = await coming.stranger;
      // Whatever passed has seen the service.
      if (run.code === 0) expect(who(), plan).toBe('own');
      else {
        expect(run.error, `${plan} ${JSON.stringify(run)}`).toMatchObject({
          code: 'PORT_CONFLICT',
          details: { service: 'web', port, pid: stranger.pid },
        });
        expect(strategy, plan).toBe('fail');
      }
      const how = `${moment}: ${stranger.took ? (run.code === 0 ? 'elsewhere' : 'PORT_CONFLICT') : 'its own port'}`;
      tally[how] = (tally[how] ?? 0) + 1;
      await stranger.leave();
      await project.argus('clean');
    }
    console.info(`strangers on the ports of containers: ${JSON.stringify(tally)}`);
  });
});
