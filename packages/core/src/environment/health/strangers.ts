import type { PortMapping } from '../../config/port-mapping.js';
import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { pick } from '../../model/pick.js';
import { portConflict } from '../../model/start-error-codes.js';
import { pause } from '../../time/pause.js';
import { addressesOf } from '../ports/address.js';
import type { RunIdentity } from '../runs/run-record.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { answering } from '../sockets/answering.js';
import { plainAddress } from '../sockets/plain-address.js';
import { portKey } from '../sockets/port-key.js';
import { describeHolder, type Holder, readSocketTable } from '../sockets/socket-table.js';

/** For how long a stranger must be there to be one: whoever only tries whether a port is free holds it for an instant. */
const lastingMs = 50;

/** A service, with the ports that it has. */
export interface Published {
  readonly service: ServiceSpec;
  readonly ports: readonly PortMapping[];
}

/** What was asked of a service of which only that somebody else answers is known. */
export const strangerCheck = 'who listens on its ports';

/** Somebody who listens where a service is asked for. */
export interface Stranger {
  readonly service: string;
  readonly holder: Holder;
}

/**
 * Who listens where services are asked for and is provably none of them. Where the system or the runtime cannot tell whose a
 * socket is, nobody is called a stranger.
 */
export async function strangersAt(
  kernel: Pick<Kernel, 'runtimes' | 'clock'>,
  run: RunIdentity,
  published: readonly Published[],
  signal: AbortSignal,
): Promise<Stranger[]> {
  const asked = published
    .map((one) => ({ ...one, places: placesOf(one) }))
    .filter(({ places }) => places.length > 0);
  if (asked.length === 0) return [];
  const keys = new Set(
    asked.flatMap(({ places }) => places.map(({ port }) => portKey({ protocol: 'tcp', port }))),
  );
  const look = async (): Promise<Stranger[]> => {
    const table = await readSocketTable(new Set(['tcp']));
    const holders = await table.holders(keys, signal);
    const found = await Promise.all(
      asked.map(async ({ service, places }) => {
        const there = [...new Set(places.flatMap(({ port, address }) => answering(holders, port, address)))];
        const isOwn = there.length === 0 ? [] : await judge(kernel, run, service, there, signal);
        return there
          .filter((_, at) => isOwn[at] === false)
          .map((holder) => ({ service: service.name, holder }));
      }),
    );
    return found.flat();
  };
  const first = await look();
  if (first.length === 0) return [];
  await pause(kernel.clock, lastingMs, signal);
  const still = await look();
  return still.filter(({ holder: { port, pid } }) =>
    first.some(({ holder }) => holder.port === port && holder.pid === pid),
  );
}

/** Whether those who listen are a service's own. A runtime that is away cannot tell, which says nothing against anybody. */
async function judge(
  kernel: Pick<Kernel, 'runtimes'>,
  run: RunIdentity,
  service: ServiceSpec,
  listeners: readonly Holder[],
  signal: AbortSignal,
): Promise<readonly (boolean | undefined)[]> {
  try {
    return (await runtimeOf(kernel, service).isOwn?.(run, service.name, listeners, signal)) ?? [];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** The places at which a service is asked for over TCP. */
function placesOf({ service: { askedAt }, ports }: Published): { port: number; address: string }[] {
  return [...ports, ...(askedAt ? [askedAt] : [])].flatMap(({ host, ip, protocol }) =>
    host === null || protocol !== 'tcp'
      ? []
      : addressesOf(ip).map((address) => ({ port: host, address: plainAddress(address) })),
  );
}

/** Refuses services at whose port somebody else answers. */
export async function refuseStrangers(...args: Parameters<typeof strangersAt>): Promise<void> {
  const [stranger] = await strangersAt(...args);
  if (stranger) throw strangerError(stranger);
}

/** `process 17 «node x.mjs» listens on port 3000, and not web`. */
export function describeStranger({ service, holder }: Stranger): string {
  return `${describeHolder(holder)} listens on port ${holder.port}, and not ${service}`;
}

/** The error of a service at whose port somebody else answers. */
export function strangerError(stranger: Stranger): ArgusError {
  const { service, holder } = stranger;
  return new ArgusError(portConflict, {
    message: `The port ${holder.port} of ${service} is taken: ${describeStranger(stranger)}`,
    details: { service, ...pick(holder, ['port', 'protocol', 'pid', 'command']) },
  });
}
