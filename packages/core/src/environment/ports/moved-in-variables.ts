import { variableName } from '../../config/variable-name.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { KnownPorts, Viewpoint } from './known-ports.js';
import { withMovedNames } from './moved-names.js';
import { isThisMachine, movedFrom, withMovedPorts } from './moved-ports.js';

/** Whose variables they are, where he is, and all that he is told. */
export interface Told {
  readonly service: string;
  readonly from: Viewpoint;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A variable of somebody, leading to the ports that services have instead of those that they asked for: at an address of this machine, by
 * the name of a service, and as the number alone where its name says that it is a port. In a container the local address is its own.
 */
export function withMovedIn(
  [name, text]: readonly [name: string, text: string],
  told: Told,
  assignments: readonly PortAssignment[],
  ports: KnownPorts,
): string {
  const { service, from } = told;
  const byName = from === 'here' ? assignments : assignments.filter((one) => !ports.isContainer(one.service));
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
  if (number !== undefined)
    return String(meantBy(name, number, told, assignments, byName)?.actualPort ?? text);
  const moved = byName.filter(({ originalPort, actualPort }) => originalPort !== actualPort);
  return withMovedNames(withMovedPorts(text, assignments, service, from), moved);
}

/** Whose port a number alone is, by the name of its variable or by the host that stands beside it: `DB_HOST` beside `DB_PORT`. */
function meantBy(
  name: string,
  number: number,
  { service, from, environment }: Told,
  assignments: readonly PortAssignment[],
  byName: readonly PortAssignment[],
): PortAssignment | undefined {
  if (!/port$/i.test(name)) return undefined;
  const of = (one: string) =>
    movedFrom(
      number,
      byName.filter((other) => other.service === one),
      one,
    );
  const upper = name.toUpperCase();
  const named = byName.find((one) => upper === `${variableName(one.service)}_PORT` && of(one.service));
  if (named) return of(named.service);
  const own = /(^|_)PORT$/.test(upper) ? of(service) : undefined;
  if (own) return own;
  const beside = upper.replace(/PORT$/, 'HOST');
  const host = Object.entries(environment).find(([key]) => key.toUpperCase() === beside)?.[1];
  // Whoever is told no host asks on his own machine.
  const isHere = host === undefined ? from === 'here' : isThisMachine(host, from);
  return isHere ? movedFrom(number, assignments, service) : of(host?.trim() ?? '');
}
