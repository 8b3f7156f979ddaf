import { createRedactor } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { diagnose } from './diagnose.js';
import { healthLog } from './health-log.js';
import type { ProjectContainer } from './project-containers.js';

type State = ProjectContainer['state'];
const never = '0001-01-01T00:00:00Z';

function containerIn(state: Partial<State>, memoryLimit: number | null = null): ProjectContainer {
  const { Status = 'running' } = state;
  const Running = Status === 'running' || Status === 'paused';
  const Paused = Status === 'paused';
  const times = { StartedAt: never, FinishedAt: never };
  const defaults = { Paused, OOMKilled: false, ExitCode: 0, Error: '', ...times };
  return {
    id: 'abc',
    name: 'argus-shop-r1-api',
    service: 'api',
    runId: 'r1',
    isOffNetwork: false,
    memoryLimit,
    state: { Status, Running, ...defaults, ...state },
  };
}

const look = (container: ProjectContainer, meantToStay = true) =>
  diagnose(container, { meantToStay, now: 5, redactor: createRedactor() });
const ill = (Status: string) => ({ Status, FailingStreak: 4, Log: [{ ExitCode: 1, Output: 'no route\n' }] });

describe('what is wrong with a container', () => {
  it.each<[string, Partial<State>]>([
    ['runs', { Status: 'running' }],
    ['is healthy', { Status: 'running', Health: ill('healthy') }],
    ['is still starting', { Status: 'running', Health: ill('starting') }],
    ['was just made', { Status: 'created' }],
  ])('nothing when it %s', (_, state) => {
    expect(look(containerIn(state))).toBeUndefined();
  });

  it('it crashed when it ended with another exit code than 0', () => {
    const state = { Status: 'exited', ExitCode: 3, FinishedAt: '1970-01-01T00:00:01.5Z' };
    expect(look(containerIn(state), false)).toEqual({
      code: 'CONTAINER_CRASH',
      category: 'container',
      severity: 'recoverable',
      message: 'argus-shop-r1-api is exited: exit code 3',
      details: {
        container: 'argus-shop-r1-api',
        id: 'abc',
        service: 'api',
        runId: 'r1',
        exitCode: 3,
        finishedAt: 1500,
        status: 'exited',
      },
      suggestedActions: ['setup', 'docker.restart-container', 'logs'],
      timestamp: 5,
    });
  });

  it('it may end well only when it is not meant to stay', () => {
    const ended = containerIn({ Status: 'exited', ExitCode: 0 });
    expect(look(ended, false)).toBeUndefined();
    expect(look(ended, true)).toMatchObject({ code: 'CONTAINER_CRASH', details: { exitCode: 0 } });
  });

  it('it ran out of memory only by the word of the engine, not by its exit code', () => {
    const killed = { Status: 'exited', ExitCode: 137 };
    expect(look(containerIn({ ...killed, OOMKilled: true }, 64_000_000))).toMatchObject({
      code: 'CONTAINER_OOM',
      message: 'argus-shop-r1-api was killed because it used more memory than its limit of 64 MB',
      details: { exitCode: 137, memoryLimit: 64_000_000, memoryPeak: 64_000_000 },
    });
    expect(look(containerIn({ ...killed, OOMKilled: true }))).toMatchObject({
      details: { memoryLimit: null, memoryPeak: null },
    });
    expect(look(containerIn(killed))).toMatchObject({ code: 'CONTAINER_CRASH' });
  });

  it('it is dead, or could not be started, for a reason that the engine gives', () => {
    expect(look(containerIn({ Status: 'dead' }), false)).toMatchObject({
      code: 'CONTAINER_CRASH',
      details: { status: 'dead' },
    });
    expect(look(containerIn({ Status: 'created', Error: 'port is taken', ExitCode: 128 }))).toMatchObject({
      code: 'CONTAINER_CRASH',
      message: 'argus-shop-r1-api could not be started: «port is taken»',
      details: { reason: 'port is taken' },
    });
  });

  it('it is unhealthy, with what the check said, or paused', () => {
    expect(look(containerIn({ Health: ill('unhealthy') }))).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: 'argus-shop-r1-api is unhealthy: its health check has failed 4 times in a row',
      details: { service: 'api', check: "the image's own check", tries: 4, outputs: ['no route'] },
      suggestedActions: ['docker.restart-container', 'setup', 'logs'],
    });
    expect(look(containerIn({ Status: 'paused' }))).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: 'argus-shop-r1-api hangs: it is paused',
      details: { check: 'the runtime says that it is paused', tries: 1, outputs: [] },
    });
  });

  it('tells no part of a secret that its health check printed, wherever that was cut', () => {
    const token = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    for (const before of [470, 490, 4_060, 4_090]) {
      // The engine keeps so many bytes.
      const Output = `${'x '.repeat(before / 2)}${token} and more`.slice(0, 4_096);
      const Health = { ...ill('unhealthy'), Log: [{ ExitCode: 1, Output }] };
      const container = containerIn({ Status: 'running', Health });
      const said = [look(container)?.details.outputs, healthLog(container.state)].flat();
      expect(
        createRedactor()
          .redact(said as string[])
          .join(),
      ).not.toContain('aB3');
    }
  });
});
