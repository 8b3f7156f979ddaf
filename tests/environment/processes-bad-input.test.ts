import { describe, expect, it } from 'vitest';
import { freePorts, processProject, serverOn } from './process-project.js';

const sleeper = { command: ['sleep', '600'] };

/** Sets up what cannot be set up; gives the error after making sure that nothing is left. */
async function refused(config: object | string) {
  const project = await processProject(config);
  const { ok, code, error, stderr } = await project.argus('setup');
  expect({ ok, stderr }).toEqual({ ok: false, stderr: '' });
  expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  return { exit: code, ...error };
}

describe('a setup that cannot work says so in one error and leaves nothing', () => {
  it('when a command does not exist', async () => {
    const services = { fine: sleeper, lost: { command: ['no-such-command-here'], dependsOn: ['fine'] } };
    expect(await refused({ services })).toMatchObject({
      exit: 1,
      code: 'SERVICE_START_FAILED',
      details: { service: 'lost', reason: 'command-missing', rollback: { failed: [] } },
    });
  });

  it('when a command does not exist in the shell that it needs', async () => {
    const services = { lost: { command: 'no-such-command-here && echo fine' } };
    expect(await refused({ services })).toMatchObject({
      exit: 1,
      code: 'SERVICE_START_FAILED',
      details: { service: 'lost', exitCode: 127 },
    });
  });

  it('when a service ends at once', async () => {
    const services = { fine: sleeper, brief: { command: 'echo so long; exit 3' } };
    expect(await refused({ services })).toMatchObject({
      exit: 1,
      code: 'SERVICE_START_FAILED',
      message: 'brief ended with exit code 3 before it was ready',
      details: {
        service: 'brief',
        reason: 'exited',
        exitCode: 3,
        lines: ['so long'],
        rollback: { removed: expect.arrayContaining(['process fine', 'process brief']), failed: [] },
      },
    });
  });

  it('when a one-shot fails', async () => {
    const services = { seed: { command: ['sh', '-c', 'exit 4'], oneShot: true } };
    expect(await refused({ services })).toMatchObject({ exit: 1, details: { service: 'seed', exitCode: 4 } });
  });

  it('when a service never becomes healthy', async () => {
    const port = await freePorts(1);
    const healthcheck = { http: '/health', interval: '50ms', retries: 2, startPeriod: '2s' };
    const services = { ill: serverOn(port, { args: ['unwell'], healthcheck }) };
    expect(await refused({ services })).toMatchObject({
      exit: 1,
      code: 'HEALTH_CHECK_TIMEOUT',
      details: {
        service: 'ill',
        check: 'GET /health',
        outputs: expect.arrayContaining([expect.stringContaining('answered 503')]),
        lines: expect.arrayContaining(['complains a little']),
        rollback: { removed: ['process ill'], failed: [] },
      },
    });
  });

  it('when the command of a health check never ends', async () => {
    const healthcheck = {
      command: 'sleep 600',
      timeout: '200ms',
      interval: '50ms',
      retries: 2,
      startPeriod: '0s',
    };
    expect(await refused({ services: { slow: { ...sleeper, healthcheck } } })).toMatchObject({
      exit: 1,
      code: 'HEALTH_CHECK_TIMEOUT',
      details: { service: 'slow', tries: 2 },
    });
  });

  it('when services wait for each other', async () => {
    const services = { a: { ...sleeper, dependsOn: ['b'] }, b: { ...sleeper, dependsOn: ['a'] } };
    expect(await refused({ services })).toMatchObject({
      exit: 2,
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('a → b → a'),
    });
  });

  it('when a service waits for one that does not exist', async () => {
    const services = { web: { ...sleeper, dependsOn: ['apii'] }, api: sleeper };
    expect(await refused({ services })).toMatchObject({
      exit: 2,
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('did you mean "api"?'),
    });
  });

  it('when two services have one name', async () => {
    const yaml = [
      ...['project: { name: demo }', 'services:'],
      ...['  api: { command: sleep 600 }', '  api: { command: sleep 601 }'],
    ].join('\n');
    expect(await refused(yaml)).toMatchObject({
      exit: 2,
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/duplicate|twice/i),
    });
  });

  it('when a text refers to nothing', async () => {
    const port = await freePorts(1);
    const services = {
      api: serverOn(port, { vars: { base_url: `http://localhost:${port}` } }),
      web: { ...sleeper, environment: { API: '{{vars.base_urll}}' }, dependsOn: ['api'] },
    };
    expect(await refused({ services })).toMatchObject({
      exit: 2,
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('did you mean {{vars.base_url}}?'),
    });
  });
});

describe('the gate', () => {
  const tooMuch = { diskSpaceThreshold: '100TB' };

  it('lets nothing start on a machine that is not well, and says all that was found', async () => {
    const preflight = { ...tooMuch, enabled: true };
    const error = await refused({ services: { a: sleeper }, resilience: { preflight } });
    expect(error).toMatchObject({
      exit: 1,
      code: 'DISK_SPACE_LOW',
      details: { report: { overall: 'unhealthy' } },
    });
    expect(error.details.report?.checks.map(({ name }) => name)).toContain('disk.space');
  });

  it('is left out when the configuration says so', async () => {
    const resilience = { preflight: { ...tooMuch, enabled: false } };
    const project = await processProject({ services: { a: sleeper }, resilience });
    expect(await project.argus('setup')).toMatchObject({
      code: 0,
      data: { services: [{ status: 'ready' }] },
    });
  });
});
