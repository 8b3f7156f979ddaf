import { describe, expect, it } from 'vitest';
import { missingVariable } from './missing-variable.js';

describe('the variable that a service misses', () => {
  it.each([
    ['Error: DATABASE_URL is not set', 'DATABASE_URL'],
    ['DATABASE_URL must be set', 'DATABASE_URL'],
    ['Error: Environment variable not found: DATABASE_URL.', 'DATABASE_URL'],
    ['Missing required environment variable: API_TOKEN', 'API_TOKEN'],
    ['missing env var "API_TOKEN"', 'API_TOKEN'],
    ["KeyError: 'API_TOKEN'", 'API_TOKEN'],
    ['sh: 1: API_TOKEN: parameter not set', 'API_TOKEN'],
    ['./start.sh: line 3: PGHOST: unbound variable', 'PGHOST'],
    ['Error: the DATABASE_URL environment variable is required', 'DATABASE_URL'],
    ['You need to specify one of the following: set POSTGRES_PASSWORD', 'POSTGRES_PASSWORD'],
  ])('is named by %s', (line, name) => {
    expect(missingVariable(['begins', line, '    at main.js:3'], {})).toBe(name);
  });

  it.each([
    'connect ECONNREFUSED 127.0.0.1:5432',
    'ERR_MODULE_NOT_FOUND',
    'Error: listen EADDRINUSE',
    'no such file /etc/app.conf',
    'code: ERR_INVALID_ARG is thrown',
  ])('is none in %s', (line) => {
    expect(missingVariable([line], {})).toBeUndefined();
  });

  it('is none that is set', () => {
    expect(missingVariable(['DATABASE_URL is missing'], { DATABASE_URL: 'x' })).toBeUndefined();
    expect(missingVariable(['DATABASE_URL is missing'], { DATABASE_URL: '' })).toBe('DATABASE_URL');
  });
});
