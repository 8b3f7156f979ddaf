import { type PluginContext, portsSpeltOut, reachableAt, type ServiceSpec } from '@argusai/core';
import type { ContainerPlace } from '@argusai/plugin-docker';

/** A port that is tried. */
export interface PathPort {
  readonly port: number;
  /** Something must listen there: a mock, or a health check has found it open. Of others that is not known. */
  readonly promised: boolean;
}

/** One way from a service to another that should be open. */
export interface Path {
  readonly from: ServiceSpec;
  readonly to: ServiceSpec;
  /** The name that the one knows the other by. */
  readonly host: string;
  readonly ports: readonly PathPort[];
  /** It leads from this machine through what publishes the ports of containers. */
  readonly relayed?: boolean;
}

/** Where a service runs: in a container, as a process of this machine, or somewhere that nobody here can look into. */
export type Whereabouts = 'container' | 'machine' | 'elsewhere';

/** Says where a service runs. */
export function whereabouts(runtimes: PluginContext['runtimes'], service: ServiceSpec): Whereabouts {
  const name = runtimes.values().find((runtime) => runtime.runs(service))?.name;
  return name === 'docker' ? 'container' : name === 'process' ? 'machine' : 'elsewhere';
}

/** What paths are drawn from. */
export interface ServiceMap {
  readonly services: readonly ServiceSpec[];
  readonly where: (service: ServiceSpec) => Whereabouts;
  readonly place: (service: ServiceSpec) => ContainerPlace | undefined;
}

/** From every service to everything it depends on and to every mock. What has done its work and ended takes no part. */
export function pathsOf(map: ServiceMap): Path[] {
  const staying = map.services.filter(({ oneShot }) => !oneShot);
  return staying
    .filter(({ kind }) => kind === 'service')
    .flatMap((from) =>
      staying
        .filter((to) => to !== from && (to.kind === 'mock' || from.dependsOn.includes(to.name)))
        .map((to) => pathBetween(from, to, map)),
    );
}

function pathBetween(from: ServiceSpec, to: ServiceSpec, { where, place }: ServiceMap): Path {
  if (where(from) === 'container' && where(to) === 'container') {
    return { from, to, host: to.name, ports: portsInside(to, place(to)) };
  }
  const published = portsHere(to);
  if (where(from) === 'container') {
    const ports = [...published.map(onlyPort), ...portsAskedFor(from, to)];
    return { from, to, host: to.name, ports };
  }
  // On this machine a service is where it is published, on one address for all its ports as a rule.
  const host = published[0]?.host ?? 'localhost';
  const ports = published.filter((one) => one.host === host).map(onlyPort);
  return { from, to, host, ports, relayed: where(to) !== 'machine' };
}

/** Ports in a container: those that are configured and those of which the image says that something listens there. */
function portsInside(service: ServiceSpec, place: ContainerPlace | undefined): PathPort[] {
  const checked = checkedPort(service);
  const configured = tcpPorts(service).map(({ container }) => container);
  const all = new Set([
    ...configured,
    ...(checked === undefined ? [] : [checked]),
    ...(place?.exposed ?? []),
  ]);
  return [...all].map((port) => {
    const isOfMock = service.kind === 'mock' && configured.includes(port);
    return { port, promised: port === checked || isOfMock };
  });
}

/** Ports on this machine. */
function portsHere(service: ServiceSpec): (PathPort & { host: string })[] {
  const checked = checkedPort(service);
  return tcpPorts(service).flatMap(({ host: port, container, ip }) => {
    if (port === null) return [];
    const host = reachableAt(ip).replace(/^\[|\]$/g, '');
    return [{ port, host, promised: service.kind === 'mock' || container === checked }];
  });
}

/** Ports of a mock that a container asks for as they are configured, where this machine has given others. */
function portsAskedFor(from: ServiceSpec, to: ServiceSpec): PathPort[] {
  if (to.routes === undefined) return [];
  return portsSpeltOut(to, [from]).map((port) => ({ port, promised: true }));
}

/** The port that the health check looks at. A process without one is waited for at its first port. */
function checkedPort(service: ServiceSpec): number | undefined {
  const { healthcheck, image } = service;
  if (healthcheck === undefined) return image === undefined ? tcpPorts(service)[0]?.container : undefined;
  if (healthcheck.tcp !== undefined) return healthcheck.tcp;
  const isOwn = healthcheck.http?.startsWith('/') ?? false;
  return isOwn ? (healthcheck.port ?? tcpPorts(service)[0]?.container) : undefined;
}

function tcpPorts({ ports }: ServiceSpec): ServiceSpec['ports'] {
  return ports.filter(({ protocol }) => protocol === 'tcp');
}

function onlyPort({ port, promised }: PathPort): PathPort {
  return { port, promised };
}
