import { describe, expect, it } from 'vitest';
import { type Cause, conflictDetails, describeConflicts } from './conflict.js';
import type { Wish } from './wish.js';

const wish: Wish = { service: 'api', protocol: 'tcp', address: '*', port: 3000, container: 80, any: false };
const socket = { protocol: 'tcp', address: '*', port: 3000 } as const;
const textOf = (cause: Cause) => describeConflicts([{ wish, cause }]);

describe('a conflict in words', () => {
  it('says who holds the port, as far as that is known', () => {
    expect(textOf({ kind: 'held', holder: { ...socket, pid: 17, command: 'node a.js' } })).toBe(
      'tcp port 3000 of api is held by process 17 «node a.js»',
    );
    expect(textOf({ kind: 'held', holder: { ...socket, pid: 17 } })).toBe(
      'tcp port 3000 of api is held by process 17',
    );
    const unseen = 'tcp port 3000 of api is held by a process that this user cannot see';
    expect(textOf({ kind: 'held', holder: socket })).toBe(unseen);
    expect(textOf({ kind: 'held' })).toBe(unseen);
  });

  it('names the services together that have one cause', () => {
    const cause: Cause = { kind: 'held' };
    const other = { ...wish, service: 'dns', protocol: 'udp' } as const;
    expect(
      describeConflicts([
        { wish, cause },
        { wish: other, cause: { kind: 'shared', with: 'web' } },
        { wish: { ...wish, service: 'web' }, cause },
      ]),
    ).toBe(
      'tcp port 3000 of api, web is held by a process that this user cannot see; udp port 3000 of dns is asked for by web too',
    );
  });
});

describe('a conflict for programs', () => {
  it('leaves out what is not known', () => {
    const details = { service: 'api', port: 3000, protocol: 'tcp' };
    expect(conflictDetails({ wish, cause: { kind: 'refused' } })).toEqual(details);
    expect(conflictDetails({ wish, cause: { kind: 'held', holder: socket } })).toEqual(details);
    const holder = { ...socket, pid: 17, command: 'node' };
    expect(conflictDetails({ wish, cause: { kind: 'held', holder } })).toEqual({
      ...details,
      pid: 17,
      command: 'node',
    });
  });
});
