import type { ResilienceEvent, ResilienceEvents } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { screenOf } from '../../fixtures/screen-of.js';
import { TestOutput } from '../../fixtures/test-io.js';
import { LiveSetup } from './live-setup.js';

/** A setup that is drawn, in a time of its own. */
function drawing({ rows = 24, columns = 60, leaves = false } = {}) {
  const output = Object.assign(new TestOutput(), { isTTY: true, rows, columns });
  let time = 0;
  const live = new LiveSetup({ output, look: { color: false }, now: () => time }, { leaves });
  onTestFinished(() => live.close(true));
  return {
    output,
    live,
    tell<Type extends keyof ResilienceEvents>(type: Type, data: ResilienceEvents[Type], after = 0) {
      time += after;
      return live.show({ channel: 'resilience', type, timestamp: 0, data } as ResilienceEvent);
    },
    screen: () => screenOf(output.text),
  };
}

const service = (name: string, dependsOn: string[] = [], builds = false) => ({ name, dependsOn, builds });
const state = (name: string, at: ResilienceEvents['service_state']['state'], message: string = at) => ({
  service: name,
  state: at,
  message,
});

describe('a setup on a terminal', () => {
  it('has every service in its place from the beginning', () => {
    const { tell, screen } = drawing();
    tell('setup_start', { project: 'shop', services: [service('web', ['api']), service('api', [], true)] });
    expect(screen()).toEqual(['· web  waits for api', '· api  to be built']);
    tell('setup_stage', { stage: 'gate', state: 'started' });
    tell('preflight_start', { project: 'shop', checks: ['a', 'b'] });
    tell('preflight_check', { name: 'a', status: 'pass', message: '', duration: 1 }, 1_500);
    expect(screen()[0]).toBe('⠴ checks  1 of 2  1.5 s');
    tell('preflight_end', { overall: 'degraded', duration: 1 });
    tell('setup_stage', { stage: 'gate', state: 'done', duration: 1_500 });
    tell('port_reassigned', { service: 'web', original: 80, actual: 81 });
    tell('service_state', state('api', 'ready'));
    expect(screen()).toEqual([
      '✓ checks  degraded  1.5 s',
      '· web     gets port 81 instead of 80',
      '✓ api     ready  <1 ms',
    ]);
  });

  it('shows the last lines of a build below, cut to the width, until it is done', () => {
    const { tell, screen } = drawing({ columns: 20 });
    tell('setup_start', { project: 'shop', services: [service('api', [], true)] });
    tell('service_state', state('api', 'building', 'building shop/api:dev'));
    for (let line = 1; line <= 9; line++)
      tell('build_output', { service: 'api', line: `${line} ${'x'.repeat(40)}` });
    expect(screen()).toEqual([
      '⠋ api  buil…  0.0 s',
      ...[4, 5, 6, 7, 8, 9].map((line) => `  | ${line} ${'x'.repeat(12)}…`),
    ]);
    tell('service_state', state('api', 'built'), 2_000);
    expect(screen()).toEqual(['✓ api  built  2 s']);
  });

  it('leaves how far it came and the whole tail of the build when that fails', () => {
    const { tell, screen, live, output } = drawing();
    tell('setup_start', { project: 'shop', services: [service('api', [], true), service('db')] });
    tell('service_state', state('api', 'building'));
    for (let line = 1; line <= 60; line++) tell('build_output', { service: 'api', line: `line ${line}` });
    tell('service_state', state('api', 'failed', 'api could not be built'));
    live.close(false);
    expect(screen().slice(0, 3)).toEqual([
      '✗ api  failed: could not be built  <1 ms',
      '- db   not started',
      'the build of api, the last 50 of 60 lines:',
    ]);
    expect(screen().slice(3)).toEqual(Array.from({ length: 50 }, (_, index) => `  | line ${index + 11}`));
    expect(output.isCursorVisible).toBe(true);
  });

  it('keeps why a service failed when it is taken down, and tells of the others', () => {
    const { tell, screen, live } = drawing();
    tell('setup_start', { project: 'shop', services: ['api', 'db', 'web'].map((name) => service(name)) });
    tell('setup_stage', { stage: 'gate', state: 'started' });
    expect(tell('cleanup_resource', { type: 'container', name: 'old', action: 'removed' })).toBe(false);
    tell('setup_stage', { stage: 'gate', state: 'done' });
    for (const name of ['api', 'db', 'web']) tell('service_state', state(name, 'starting'));
    tell('service_state', state('api', 'failed', 'api ended'));
    for (const name of ['api', 'db']) tell('service_state', state(name, 'stopping'));
    expect(tell('cleanup_resource', { type: 'process', name: 'api', action: 'removed' })).toBe(true);
    expect(tell('cleanup_resource', { type: 'process', name: 'db', action: 'failed' })).toBe(false);
    tell('service_state', state('api', 'stopped'));
    expect(screen().slice(1)).toEqual([
      '✗ api     failed: ended  <1 ms',
      '⠋ db      stopping  0.0 s',
      '⠋ web     starting  0.0 s',
    ]);
    tell('service_state', state('db', 'stopped'));
    live.close(false);
    expect(screen().slice(2)).toEqual([
      '- db      taken down  <1 ms',
      '- web     ended while starting  <1 ms',
    ]);
  });

  it('folds what went well where the screen is too low', () => {
    const { tell, screen } = drawing({ rows: 5 });
    const names = Array.from({ length: 9 }, (_, index) => `s${index}`);
    tell('setup_start', { project: 'shop', services: names.map((name) => service(name)) });
    for (const name of names.slice(0, 7)) tell('service_state', state(name, 'ready'));
    tell('service_state', state('s7', 'starting'));
    expect(screen()).toEqual([
      '✓ s0  ready  <1 ms',
      '⠋ s7  starting  0.0 s',
      '· s8',
      '… and 6 more, 6 of them ready',
    ]);
  });

  it('gives the terminal to tests that begin, and leaves what it has drawn', () => {
    const { tell, output, screen } = drawing({ leaves: true });
    tell('setup_start', { project: 'shop', services: [service('api')] });
    tell('service_state', state('api', 'kept', 'runs as it should'));
    expect(tell('suite_start', { suite: 'smoke', command: ['true'] })).toBe(false);
    expect(screen()).toEqual(['✓ api  runs as it should  <1 ms']);
    const before = output.text;
    expect(tell('service_state', state('api', 'stopping'))).toBe(false);
    expect(output).toMatchObject({ text: before, isCursorVisible: true });
  });
});
