import type { ResilienceEvent, ResilienceEvents } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { progressLines } from './progress-lines.js';

function shown<Type extends keyof ResilienceEvents>(type: Type, data: ResilienceEvents[Type], color = false) {
  const event = { channel: 'resilience', type, timestamp: 0, data } as ResilienceEvent;
  return paint(progressLines(event), { color });
}

describe('the lines of long work', () => {
  it('tell of every state of a service, and why where there is more to say', () => {
    const ready = { service: 'api', state: 'ready', message: 'ready' } as const;
    expect(shown('service_state', ready)).toBe('api ready\n');
    expect(shown('service_state', { ...ready, state: 'waiting', message: 'waiting for GET /' })).toBe(
      'api waiting: waiting for GET /\n',
    );
    expect(shown('service_state', { ...ready, state: 'failed' }, true)).toContain('\x1b[31mfailed');
  });

  it('tell once that a service is gone', () => {
    const stopped = { service: 'api', state: 'stopped', message: 'stopped' } as const;
    const removed = { type: 'process', name: 'api', action: 'removed' } as const;
    expect(shown('service_state', stopped) + shown('cleanup_resource', removed)).toBe(
      'removed process api\n',
    );
  });

  it('tell how something was removed that had to be forced', () => {
    const removed = { type: 'process', name: 'api', action: 'removed', message: 'it was killed' } as const;
    expect(shown('cleanup_resource', removed)).toBe('removed process api: it was killed\n');
  });

  it('tell what could not be removed, and why', () => {
    const failed = { type: 'network', name: 'net', action: 'failed' } as const;
    expect(shown('cleanup_resource', { ...failed, message: 'in use' })).toBe('failed network net: in use\n');
    expect(shown('cleanup_resource', failed)).toBe('failed network net:\n');
  });

  it('tell how long a stage took, but not that it begins', () => {
    expect(shown('setup_stage', { stage: 'gate', state: 'started' })).toBe('');
    expect(shown('setup_stage', { stage: 'gate', state: 'done', duration: 1_500 })).toBe(
      'gate done in 1.5 s\n',
    );
    expect(shown('setup_stage', { stage: 'build', state: 'done', duration: 1, idle: true })).toBe('');
    expect(shown('setup_stage', { stage: 'start', state: 'failed' }, true)).toContain('\x1b[31mstart failed');
    expect(shown('setup_stage', { stage: 'start', state: 'again', duration: 3_300 })).toBe(
      'start is tried again, after 3.3 s\n',
    );
  });

  it('tell of builds and of ports that were moved', () => {
    expect(shown('build_output', { service: 'api', line: 'step 1' })).toBe('api | step 1\n');
    expect(shown('port_reassigned', { service: 'api', original: 80, actual: 81 })).toBe(
      'api gets port 81 instead of 80\n',
    );
    expect(shown('port_conflict', { service: 'api', port: 80, pid: 7 })).toBe(
      'api cannot have port 80: it is taken by process 7\n',
    );
    expect(shown('port_conflict', { service: 'api', port: 80 })).toBe(
      'api cannot have port 80: it is taken\n',
    );
  });

  it('tell what is broken on purpose, when that is over, and when it could not be ended', () => {
    const fault = { fault: 'pause-service', target: 'service:api' } as const;
    expect(shown('fault_injected', { ...fault, message: 'api was paused' })).toBe(
      'pause-service: api was paused\n',
    );
    expect(shown('fault_undone', fault)).toBe('pause-service of service:api was taken back\n');
    expect(shown('fault_left', { ...fault, message: 'the engine is away' })).toBe(
      'pause-service of service:api could not be taken back: the engine is away\n',
    );
    expect(shown('fault_undone', { ...fault, replaced: true })).toBe(
      'pause-service of service:api is over: it was replaced meanwhile\n',
    );
  });

  it('tell which suite runs', () => {
    expect(shown('suite_start', { suite: 'smoke', command: ['npm', 'test'] })).toBe('smoke runs: npm test\n');
  });

  it('leave out what the result tells anyway', () => {
    expect(shown('cleanup_start', { project: 'demo' })).toBe('');
  });
});
