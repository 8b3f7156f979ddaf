import { formatPath } from '../../config/path.js';
import { ArgusError } from '../../model/argus-error.js';
import { portConflict } from '../../model/start-error-codes.js';
import { isContainer } from '../is-container.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import { movedNamesIn } from './moved-names.js';
import { movedPortsIn } from './moved-ports.js';

/** A service as far as its commands go, be it configured or resolved. */
export interface Commands extends Pick<ServiceSpec, 'name' | 'kind'> {
  readonly image?: unknown;
  readonly build?: unknown;
  readonly routes?: unknown;
  readonly command?: ServiceSpec['command'] | undefined;
  readonly entrypoint?: ServiceSpec['entrypoint'] | undefined;
  readonly healthcheck?: { readonly command?: HealthSpec['command'] | undefined } | undefined;
}

/** A command that spells out a port which its service has lost. */
export interface SpeltOut {
  /** Where it stands in the configuration, if it does. */
  readonly key?: string;
  readonly moved: PortAssignment;
}

/**
 * Where commands spell out ports that services asked for and do not have. What a command means by it nobody can say for sure, so that it is
 * not rewritten as a variable is. The server of a mock sees itself to what containers spell out.
 */
export function speltOutIn(
  services: readonly Commands[],
  assignments: readonly PortAssignment[],
): SpeltOut[] {
  const isNamed = ({ service, originalPort, actualPort }: PortAssignment) =>
    originalPort !== actualPort &&
    services.some((one) => one.name === service && !isContainer(one) && one.routes === undefined);
  const named = assignments.filter(isNamed);
  return services.flatMap((service) => {
    const { name, kind, command = [], entrypoint = [], healthcheck } = service;
    const parts = { command, entrypoint, 'healthcheck.command': healthcheck?.command ?? [] };
    return Object.entries(parts).flatMap(([part, words]) =>
      (isContainer(service)
        ? [
            ...[words].flat().flatMap((text) => movedNamesIn(text, named)),
            ...movedPortsIn(words, assignments, name, 'in-container'),
          ]
        : movedPortsIn(words, assignments, name)
      ).map((moved) => ({ key: formatPath([`${kind}s`, name, ...part.split('.')]), moved })),
    );
  });
}

/** Refuses commands that would get to whoever holds a port that a service has lost. */
export function refuseSpeltOut([first]: readonly SpeltOut[], instead?: (service: string) => string): void {
  if (!first) return;
  const { key, moved } = first;
  const { service, originalPort: port, protocol = 'tcp' } = moved;
  throw portSpeltOut({ service, port, protocol, key }, { by: 'the command', instead: instead?.(service) });
}

/** A port that its service cannot have, and the key of the text that spells it out, where one is known. */
interface Taken {
  readonly service: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  readonly key: string | undefined;
}

/** The error of a port that a text spells out, so that no other one will do, with what to write there instead. */
export function portSpeltOut(
  { key, ...taken }: Taken,
  told: { readonly by: string; readonly at?: string; readonly instead?: string | undefined },
): ArgusError {
  const { by, at = '', instead = `{{ports.${taken.service}}}` } = told;
  return new ArgusError(portConflict, {
    message: `The port ${taken.port} of ${taken.service} is taken${at}, and ${key ?? by} spells it out: ${instead} stands for the one that it has instead`,
    details: { ...taken, reason: 'spelt-out', ...(key === undefined ? {} : { where: { key } }) },
  });
}
