import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { serviceTable } from './service-table.js';

const api = {
  name: 'api',
  mark: 'pass',
  state: 'healthy',
  runtime: 'docker',
  endpoints: ['http://localhost:80'],
} as const;

describe('the table of services', () => {
  it('has a line for every address, and what else there is to know below', () => {
    const both = { ...api, endpoints: [...api.endpoints, 'udp://localhost:53'], remarks: ['2 restarts'] };
    const db = { ...api, name: 'database', mark: 'fail', state: 'exited', endpoints: [] } as const;
    expect(paint(serviceTable([both, db], 80), { color: false })).toBe(
      [
        '✓ api       healthy  docker  http://localhost:80',
        '                             udp://localhost:53',
        '    2 restarts',
        '✗ database  exited   docker',
        '',
      ].join('\n'),
    );
  });

  it('puts addresses below where there is no room beside, so that none is cut', () => {
    expect(paint(serviceTable([api], 40), { color: false })).toBe(
      '✓ api  healthy  docker\n    http://localhost:80\n',
    );
  });
});
