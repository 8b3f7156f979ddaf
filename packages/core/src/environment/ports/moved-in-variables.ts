import { variableName } from '../../config/variable-name.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { KnownPorts, Viewpoint } from './known-ports.js';
import { withMovedNames } from './moved-names.js';
import { withMovedPorts } from './moved-ports.js';

/** Whose variables they are, and where he is. */
export interface Told {
  readonly service: string;
  readonly from: Viewpoint;
}

/**
 * A variable of somebody, leading to the ports that services have instead of those that they asked for: at a local address, by the name
 * of a service, and as the number alone where the name of the variable says whose it is. In a container the local address is its own.
 */
export function withMovedIn(
  [name, text]: readonly [name: string, text: string],
  { service, from }: Told,
  assignments: readonly PortAssignment[],
  ports: KnownPorts,
): string {
  const moved = assignments.filter(({ originalPort, actualPort }) => originalPort !== actualPort);
  const reached = from === 'here' ? moved : moved.filter((one) => !ports.isContainer(one.service));
  const isMeant = (one: PortAssignment) =>
    name.toUpperCase() === `${variableName(one.service)}_PORT` ||
    (one.service === service && /(^|_)PORT$/i.test(name));
  const asNumber = reached.find((one) => String(one.originalPort) === text.trim() && isMeant(one));
  if (asNumber) return String(asNumber.actualPort);
  return from === 'here' ? withMovedPorts(text, assignments, service) : withMovedNames(text, reached);
}
