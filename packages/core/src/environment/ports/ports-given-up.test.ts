import { describe, expect, it } from 'vitest';
import { parsePorts } from '../../config/port-mapping.js';
import type { PortAssignment, RunRecord } from '../runs/run-record.js';
import { portsGivenUp } from './ports-given-up.js';

const ports = (texts: readonly string[]) => texts.flatMap(parsePorts);

/** What services that have ports give up when others are asked for. */
function givenUp(
  has: Record<string, string[]>,
  asked: Record<string, string[]>,
  portMappings: PortAssignment[] = [],
  mayMove = true,
) {
  const services: RunRecord['services'] = Object.fromEntries(
    Object.entries(has).map(([name, texts]) => [
      name,
      { runtime: 'model', spec: '', ports: ports(texts), startedAt: 0 },
    ]),
  );
  const wanted = new Map(Object.entries(asked).map(([name, texts]) => [name, ports(texts)]));
  const given = portsGivenUp({ services, portMappings }, wanted, mayMove);
  return given.map(({ service, port }) => `${service} ${port}`);
}

describe('the ports that services give up', () => {
  it('are those that the configuration no longer gives them', () => {
    expect(givenUp({ a: ['8080:80'], b: ['8081:80'] }, { a: ['8080:80'] })).toEqual(['b 8081']);
    expect(givenUp({ a: ['8080:80'] }, { a: ['8081:80'] })).toEqual(['a 8080']);
    expect(givenUp({ a: ['8080:80'] }, { a: ['8080:81'] })).toEqual(['a 8080']);
    expect(givenUp({ a: ['8080:80'] }, { a: ['127.0.0.1:8080:80'] })).toEqual(['a 8080']);
    expect(givenUp({ a: ['8080:80'] }, { a: ['8080:80/udp'] })).toEqual(['a 8080']);
  });

  it('are none of those that are asked for as they are', () => {
    expect(givenUp({ a: ['8080:80', '8081:80'] }, { a: ['8081:80', '8080:80'] })).toEqual([]);
    expect(givenUp({ a: ['8085:80'] }, { a: ['8080-8089:80'] })).toEqual([]);
    expect(givenUp({ a: ['8085:80'] }, { a: ['80'] })).toEqual([]);
    expect(givenUp({ a: ['80'] }, { a: ['8080:80'] })).toEqual([]);
  });

  it('are not those that were given instead of the ones that are still asked for', () => {
    const moved = { service: 'a', originalPort: 8080, actualPort: 8081, reassigned: true };
    expect(givenUp({ a: ['8081:80'] }, { a: ['8080:80'] }, [moved])).toEqual([]);
    expect(givenUp({ a: ['8081:80'] }, { a: ['8080:80'] }, [{ ...moved, protocol: 'udp' }])).toEqual([
      'a 8081',
    ]);
    // Where nobody may be moved, nobody is left where he was moved to.
    expect(givenUp({ a: ['8081:80'] }, { a: ['8080:80'] }, [moved], false)).toEqual(['a 8081']);
    expect(givenUp({ a: ['8081:80'] }, { a: ['80'] }, [moved], false)).toEqual([]);
  });
});
