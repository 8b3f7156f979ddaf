import type { PortMapping } from '../../config/port-mapping.js';
import type { RunRecord } from '../runs/run-record.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** A port of this machine that a service of a run has, and that the configuration no longer gives it. */
export interface PortGivenUp {
  readonly service: string;
  readonly port: number;
  readonly protocol: PortMapping['protocol'];
  /** The address as it was configured. */
  readonly ip: string | null;
  /** The one it was asked for; another than `port` where that one was taken. */
  readonly wished: number;
}

/**
 * The ports that services of a run have and will not have when it is set up as the configuration says now: their service is
 * gone from it, or asks for something else. A setup replaces or stops whoever has one. Where services may not be moved, one that was
 * moved before gives up what it has for what it asked for.
 */
export function portsGivenUp(
  { services, portMappings }: Pick<RunRecord, 'services' | 'portMappings'>,
  asked: ReadonlyMap<string, readonly PortMapping[]>,
  mayMove: boolean,
): PortGivenUp[] {
  // A record of a later version may have another shape; then it says nothing here.
  return Object.entries(services ?? {}).flatMap(([service, { ports = [] }]) =>
    ports.flatMap(({ host: port, container, ip, protocol }): PortGivenUp[] => {
      if (port === null) return [];
      const given = portMappings?.find(
        (one) =>
          one.service === service && one.actualPort === port && (one.protocol ?? protocol) === protocol,
      );
      const wished = given?.originalPort ?? port;
      const isKept = asked.get(service)?.some((one) => {
        const isSame = one.container === container && one.protocol === protocol && one.ip === ip;
        return isSame && (one.host === null || isFor(one, port) || (mayMove && one.host === wished));
      });
      return isKept ? [] : [{ service, port, protocol, ip, wished }];
    }),
  );
}

/** The services of a run that have to give up a port before ports are given out, because somebody asks for it. */
export function standingInTheWay(
  run: RunRecord,
  services: readonly ServiceSpec[],
  mayMove: boolean,
): string[] {
  const asked = new Map(services.map(({ name, ports }) => [name, ports]));
  const wishes = services.flatMap(({ ports }) => ports);
  const inTheWay = portsGivenUp(run, asked, mayMove).filter(({ port, protocol, wished }) =>
    wishes.some((one) => one.protocol === protocol && (isFor(one, port) || (mayMove && one.host === wished))),
  );
  return [...new Set(inTheWay.map(({ service }) => service))];
}

function isFor(
  { host, hostRange: [first, last] = [host ?? 0, host ?? 0] }: PortMapping,
  port: number,
): boolean {
  return port >= first && port <= last;
}
