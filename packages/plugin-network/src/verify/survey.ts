import type { RunContext, ServiceSpec } from '@argusai/core';
import type { RunTopology } from '@argusai/plugin-docker';
import { type ServiceMap, whereabouts } from './path.js';
import { topologyOf } from './topology-of.js';
import type { VerifyParts } from './verify-parts.js';

/** An environment as it is: its services with the ports they have, and where their containers stand. */
export interface Survey extends ServiceMap {
  /** Nothing when there are no containers, or the engine could not be asked. */
  readonly topology: RunTopology | undefined;
}

/** Looks at an environment: one call for all its containers. */
export async function surveyOf(parts: VerifyParts, context: RunContext): Promise<Survey> {
  const where = (service: ServiceSpec) => whereabouts(parts.runtimes, service);
  const services = await withKnownPorts(parts, context);
  const topology = await topologyOf(parts, context, services);
  const places = new Map(topology?.containers.map((place) => [place.service, place]));
  return { services, where, place: ({ name }) => places.get(name), topology };
}

/** Services with the host ports that their runtimes chose for them, where somebody on this machine may need those. */
async function withKnownPorts(
  { runtimes }: VerifyParts,
  { run, services, signal }: RunContext,
): Promise<readonly ServiceSpec[]> {
  const isOpen = ({ ports }: ServiceSpec) => ports.some(({ host }) => host === null);
  const isNeeded = services.some((service) => whereabouts(runtimes, service) === 'machine');
  const unknown = isNeeded ? services.filter(isOpen) : [];
  if (unknown.length === 0) return services;
  const states = await Promise.all(
    runtimes.values().map((runtime) => {
      const names = unknown.filter((service) => runtime.runs(service)).map(({ name }) => name);
      return names.length === 0 ? [] : runtime.inspect(run, names, signal);
    }),
  );
  const ports = new Map(states.flat().map((state) => [state.service, state.ports]));
  return services.map((service) => ({ ...service, ports: ports.get(service.name) ?? service.ports }));
}
