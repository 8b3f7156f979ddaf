import type { Json, JsonObject } from '@argusai/core';
import type { Line } from '../text/line.js';
import { took } from '../text/took.js';
import { networkLines, type ShownNetwork } from './network.js';

interface FoundNetwork {
  readonly connectivity: ShownNetwork['results'];
  readonly topology: readonly { readonly network: string; readonly containers: readonly string[] }[];
  readonly notReconnected?: readonly {
    readonly service: string;
    readonly problem?: string;
    readonly refusal: string;
    readonly command: string;
  }[];
}

interface FoundName {
  readonly from: string;
  readonly host: string;
  /** Null when it could not be told. */
  readonly ok: boolean | null;
  readonly latencyMs: number | null;
  readonly addresses: readonly string[];
}

/** What plugins found out about a service that failed, for people. What nobody here knows how to draw is shown as it is. */
export function diagnosisLines(diagnosis: JsonObject): Line[] {
  return Object.entries(diagnosis).flatMap(([part, found]) =>
    drawn(part, found ?? null).map((line): Line => [`${part}: `, ...line]),
  );
}

function drawn(part: string, found: Json): Line[] {
  if (part === 'network' && isNetwork(found)) return foundNetworkLines(found);
  if (part === 'dns' && areNames(found)) return found.map((name): Line => [sayName(name)]);
  return [[JSON.stringify(found)]];
}

function foundNetworkLines({ connectivity, topology, notReconnected = [] }: FoundNetwork): Line[] {
  return [
    ...networkLines({ results: connectivity, reconnected: [] }),
    ...topology.map(({ network, containers }): Line => {
      const verb = containers.length === 1 ? 'is' : 'are';
      return [`${containers.join(', ')} ${verb} on ${network}`];
    }),
    ...notReconnected.map(
      ({ service, problem, refusal, command }): Line => [
        `${service} is ${problem === 'nameless' ? 'on its network without its name' : 'not on its network'}, and may not be connected again (${refusal}); ${command} connects it`,
      ],
    ),
  ];
}

function sayName({ from, host, ok, latencyMs, addresses }: FoundName): string {
  if (ok === null) return `it is not known whether ${from} finds ${host}`;
  if (!ok) return `${from} cannot find ${host}`;
  const where = addresses.length === 0 ? '' : ` at ${addresses.join(', ')}`;
  return `${from} finds ${host}${where}${latencyMs === null ? '' : ` in ${took(latencyMs)}`}`;
}

/** Any plugin may report under these names. */
function isNetwork(found: unknown): found is FoundNetwork {
  if (typeof found !== 'object' || found === null) return false;
  const { connectivity, topology } = found as JsonObject;
  return Array.isArray(connectivity) && Array.isArray(topology);
}

function areNames(found: unknown): found is readonly FoundName[] {
  return (
    Array.isArray(found) &&
    found.every((one) => typeof one?.host === 'string' && Array.isArray(one.addresses))
  );
}
