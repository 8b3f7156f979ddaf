import type { PortMapping } from '../../config/port-mapping.js';
import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import { messageOf } from '../../model/message-of.js';
import { pick } from '../../model/pick.js';
import { healthUnknown } from '../../model/service-error-codes.js';
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
  /** The service listens at this port as well, on another address. */
  readonly isBeside: boolean;
}

/** A service of which nobody could look who listens where it is asked for, and why. */
export interface Unlooked {
  readonly service: ServiceSpec;
  readonly reason: string;
}

/** Who was found, and where nobody could look. That the system does not show everybody to this user is no failed look. */
export interface StrangerLook {
  readonly strangers: readonly Stranger[];
  readonly unlooked: readonly Unlooked[];
}

const nothingSeen: StrangerLook = { strangers: [], unlooked: [] };

/**
 * Who listens where services are asked for and is provably none of them. Where the system or the runtime cannot tell whose a
 * socket is, nobody is called a stranger.
 */
export async function strangersAt(
  kernel: Pick<Kernel, 'runtimes' | 'clock'>,
  run: RunIdentity,
  published: readonly Published[],
  signal: AbortSignal,
): Promise<StrangerLook> {
  const asked = published
    .map((one) => ({ ...one, places: placesOf(one) }))
    .filter(({ places }) => places.length > 0);
  if (asked.length === 0) return nothingSeen;
  const keys = new Set(
    asked.flatMap(({ places }) => places.map(({ port }) => portKey({ protocol: 'tcp', port }))),
  );
  const look = async (): Promise<StrangerLook> => {
    const holders = await readSocketTable(new Set(['tcp']))
      .then((table) => table.holders(keys, signal))
      .catch(failedLook(signal));
    if ('reason' in holders)
      return { ...nothingSeen, unlooked: asked.map(({ service }) => ({ service, ...holders })) };
    const found = await Promise.all(
      asked.map(async ({ service, places }): Promise<StrangerLook> => {
        const there = [...new Set(places.flatMap(({ port, address }) => answering(holders, port, address)))];
        if (there.length === 0) return nothingSeen;
        const isOwn = await judge(kernel, run, service, there, signal).catch(failedLook(signal));
        if ('reason' in isOwn) return { ...nothingSeen, unlooked: [{ service, ...isOwn }] };
        const own = there.filter((_, at) => isOwn[at]);
        const strangers = there
          .filter((_, at) => isOwn[at] === false)
          .map((holder) => {
            const isBeside = own.some(({ port }) => port === holder.port);
            return { service: service.name, holder, isBeside };
          });
        return { ...nothingSeen, strangers };
      }),
    );
    return {
      strangers: found.flatMap(({ strangers }) => strangers),
      unlooked: found.flatMap(({ unlooked }) => unlooked),
    };
  };
  const first = await look();
  if (first.strangers.length === 0) return first;
  await pause(kernel.clock, lastingMs, signal);
  const { strangers, unlooked } = await look();
  const isStillThere = ({ holder: { port, pid } }: Stranger) =>
    first.strangers.some(({ holder }) => holder.port === port && holder.pid === pid);
  return { strangers: strangers.filter(isStillThere), unlooked };
}

/** Why somebody could not look, which says nothing against anybody. */
function failedLook(signal: AbortSignal): (thrown: unknown) => { readonly reason: string } {
  return (thrown) => {
    signal.throwIfAborted();
    return { reason: messageOf(thrown) };
  };
}

/** Whether those who listen are a service's own. */
async function judge(
  kernel: Pick<Kernel, 'runtimes'>,
  run: RunIdentity,
  service: ServiceSpec,
  listeners: readonly Holder[],
  signal: AbortSignal,
): Promise<readonly (boolean | undefined)[]> {
  return (await runtimeOf(kernel, service).isOwn?.(run, service.name, listeners, signal)) ?? [];
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
  const [stranger] = (await strangersAt(...args)).strangers;
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

/** The error of a service of which nobody could look whether somebody else answers at its port. */
export function unlookedError(
  kernel: Pick<Kernel, 'runtimes' | 'clock'>,
  { service, reason }: Unlooked,
): StructuredError {
  const message = `It could not be told who listens on the ports of ${service.name}: ${reason}`;
  const { name: runtime } = runtimeOf(kernel, service);
  const details = { service: service.name, runtime, check: strangerCheck, reason };
  return structuredError<string, typeof details>(healthUnknown, { message, details }, kernel.clock.now());
}
