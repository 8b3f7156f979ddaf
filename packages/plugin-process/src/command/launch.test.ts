import { describe, expect, it } from 'vitest';
import { service } from '../fixtures/service.js';
import { prepareCommand } from './launch.js';

const project = { name: 'shop', dir: '/projects/shop' };

function prepare(command: string | readonly string[]) {
  const { env: _, ...rest } = prepareCommand(command, service('api'), project);
  return rest;
}

describe('a command', () => {
  it('is run without a shell where it needs none', () => {
    expect(prepare(`node server.js 'a b'`)).toEqual({
      argv: ['node', 'server.js', 'a b'],
      cwd: '/projects/shop',
    });
  });

  it('is given to a shell whole where it needs one, and says why', () => {
    for (const [line, shell] of [
      ['node a.js | tee log', 'of the |'],
      [`echo 'a`, `a ' is not closed`],
    ]) {
      expect(prepare(line ?? '')).toMatchObject({ argv: ['/bin/sh', '-c', line], shell });
    }
  });

  it('is taken as it is when it is a list', () => {
    expect(prepare(['a', '|', '$b'])).toEqual({ argv: ['a', '|', '$b'], cwd: '/projects/shop' });
  });

  it('gets the only port of its service as PORT, and what the service sets over it', () => {
    const tcp = { ip: null, protocol: 'tcp' } as const;
    const ports = [{ ...tcp, host: 8080, container: 3000 }];
    const { env } = prepareCommand('x', service('api', { ports, environment: { A: '1' } }), project);
    expect(env).toMatchObject({ PORT: '8080', A: '1' });
    const { env: own } = prepareCommand('x', service('api', { ports, environment: { PORT: '1' } }), project);
    expect(own.PORT).toBe('1');
  });
});
