import { describe, expect, it } from 'vitest';
import { containerProject, dataOf } from '../environment/container-project.js';
import { processProject } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';

/** A command that takes so long to end after SIGTERM, and one that never does. */
const slow = (seconds: number) => ({
  command: ['sh', '-c', `trap 'sleep ${seconds}; exit 0' TERM; sleep 1000 & wait`],
});
const stubborn = { command: ['sh', '-c', "trap '' TERM; while :; do sleep 0.1; done"] };

/** Each depends on the one before it. */
function chain(count: number, service: object) {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  return Object.fromEntries(
    names.map((name, index) => [name, { ...service, dependsOn: names.slice(index - 1, index) }]),
  );
}

/** The same by itself, and how long each takes to be taken down. */
async function timesOf(services: object, argus: (...args: string[]) => Promise<{ code: number }>) {
  expect(await argus('setup')).toMatchObject({ code: 0 });
  const begun = performance.now();
  const answer = await argus('clean');
  expect([Object.keys(services).length, answer.code]).toEqual([Object.keys(services).length, 0]);
  return { ms: performance.now() - begun, answer };
}

describe('taking down', () => {
  it('25 services that each take their time and depend on each other takes about as long as one', async () => {
    const one = await processProject({ services: chain(1, slow(6)) });
    const many = await processProject({ services: chain(25, slow(6)) });
    const single = await timesOf(chain(1, slow(6)), one.argus);
    const all = await timesOf(chain(25, slow(6)), many.argus);
    expect(all.ms).toBeLessThan(1.5 * single.ms);
    expect(await many.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('tells of who is waited for and why, and names who had to be killed', async () => {
    const services = { polite: { command: 'sleep 1000' }, stubborn };
    const project = await processProject({ services, environment: { stopTimeout: '4s' } });
    expect(await project.argus('setup')).toMatchObject({ code: 0 });
    const call = project.start('clean');
    const waits = await call.until(
      ({ type, data }) => type === 'service_state' && JSON.stringify(data).includes('after SIGTERM'),
    );
    expect(waits.data).toMatchObject({
      service: 'stubborn',
      state: 'stopping',
      message: 'it has not ended 2s after SIGTERM, and is killed after 4s',
    });
    const { code, result } = await call.ended;
    expect([code, result?.data]).toMatchObject([0, { killed: ['stubborn'] }]);
  });
});

describeWithEngine('taking down containers', ({ host }) => {
  it('waits for none that never hears a SIGTERM, and none of them is left', async () => {
    const image = await makeTestImage(host);
    const services = Object.fromEntries(
      ['a', 'b', 'c'].map((name, index) => [
        name,
        { image, command: 'sleep 1000', ...(index > 0 ? { dependsOn: ['a'] } : {}) },
      ]),
    );
    const heard = { image, command: 'sleep 1000', init: true };
    const config = { services: { ...services, heard }, environment: { stopTimeout: '10s' } };
    const project = await containerProject(host, { config });
    const { ms, answer } = await timesOf(services, project.argus);
    // Each would have had ten seconds.
    expect(ms).toBeLessThan(9_000);
    expect(dataOf(answer as never)).toMatchObject({ failed: [] });
    expect((answer as unknown as { data: { killed: string[] } }).data.killed.sort()).toEqual(['a', 'b', 'c']);
    expect(await project.resources()).toEqual([]);
  });
});
