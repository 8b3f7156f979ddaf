import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { type LogScene, logLine } from './log-line.js';

const config = {
  services: { api: {}, database: {} },
  mocks: { pay: {} },
} as unknown as LogScene['kernel']['config'];
const scene = (rest: Partial<LogScene> = {}): LogScene => ({ kernel: { config }, input: {}, ...rest });
const said = (service: string, at: LogScene, color = false, stream: 'stdout' | 'stderr' = 'stdout') =>
  paint([logLine({ service, stream, text: 'ready' }, at)], { color });

describe('a line of a service', () => {
  it('has the service in front, on a terminal one below the other', () => {
    expect(said('api', scene())).toBe('api | ready\n');
    expect(said('api', scene({ columns: 80 }))).toBe('api      | ready\n');
    expect(said('api', scene({ columns: 80, input: { service: ['api', 'pay'] } }))).toBe('api | ready\n');
    expect(said('gone-since', scene({ columns: 80 }))).toBe('gone-since | ready\n');
  });

  it('has a colour by its service, whoever else is shown', () => {
    const colourOf = (service: string, input = {}) => said(service, scene({ input }), true).slice(0, 5);
    expect(new Set(['api', 'database', 'pay'].map((name) => colourOf(name))).size).toBe(3);
    expect(colourOf('pay', { service: ['pay'] })).toBe(colourOf('pay'));
  });

  it('has a red bar when it went to stderr', () => {
    expect(said('api', scene(), true, 'stderr')).toContain('\x1b[31m|');
    expect(said('api', scene(), true)).not.toContain('\x1b[31m');
  });
});
