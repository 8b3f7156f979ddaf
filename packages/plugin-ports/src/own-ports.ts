import {
  addressesMeet,
  limitedSignal,
  lookAtRecorded,
  type PluginContext,
  type PortGivenUp,
  type PortMapping,
  plainAddress,
  portsGivenUp,
  type RunRecord,
  type Sight,
} from '@argusai/core';
import { recordedPort } from './resolve/port-of-run.js';
import { portsAskedFor, type Wish } from './wish.js';

/** The port that a live run of this folder has for a wish, and what is known of the service. */
export interface OwnPort {
  readonly port: number;
  /**
   * `starting`: its run is being started or stopped, so that it may not be there yet, or any more. `pid`: its runtime does not see
   * it running, but a process that was started for it holds the port.
   */
  readonly service:
    | 'running'
    | 'starting'
    | { readonly unseen: string; readonly runtime?: string | undefined }
    | { readonly pid: number };
  /** The service that has it now and that a setup stops or replaces first, because the configuration gives it another. */
  readonly from?: string;
}

/** What a record says of the port for a wish. */
interface Noted {
  readonly wish: Wish;
  readonly port: number;
  readonly holder: string;
  readonly from?: string;
}

/** What the configuration asks for, and the same by service. */
export interface Asked {
  readonly wishes: readonly Wish[];
  readonly ports: ReadonlyMap<string, readonly PortMapping[]>;
  /** Whether a service may have another port than the one it asks for. Otherwise one that was moved before is not left where it is. */
  readonly mayMove: boolean;
}

/** How long runtimes are waited for in all; less than a checker may take, so that one that hangs costs only what it alone knows. */
const lookMs = 3_000;

/**
 * The ports that live runs of this folder have for wishes. One whose service has ended or is gone has let go of its port, which
 * anybody may have taken since.
 */
export async function ownPorts(
  asked: Asked,
  runs: readonly RunRecord[],
  parts: Pick<PluginContext, 'runtimes' | 'clock'>,
  signal: AbortSignal,
): Promise<Map<Wish, OwnPort>> {
  const limit = limitedSignal(parts.clock, lookMs, signal);
  try {
    return await portsHad(asked, runs, parts, limit.signal);
  } finally {
    limit.release();
  }
}

async function portsHad(
  { wishes, ports, mayMove }: Asked,
  runs: readonly RunRecord[],
  parts: Pick<PluginContext, 'runtimes' | 'clock'>,
  signal: AbortSignal,
): Promise<Map<Wish, OwnPort>> {
  const own = new Map<Wish, OwnPort>();
  for (const run of runs) {
    const open = wishes.filter((wish) => !own.has(wish));
    const noted = open.flatMap((wish): Noted[] => {
      const port = recordedPort(wish, run);
      if (port === undefined || !(mayMove || wish.any || portsAskedFor(wish).includes(port))) return [];
      return [{ wish, port, holder: wish.service }];
    });
    const rest = open.filter((wish) => !noted.some((one) => one.wish === wish));
    noted.push(...takenOver(rest, portsGivenUp(run, ports, mayMove)));
    if (noted.length === 0) continue;
    const sights = run.state === 'up' ? await lookAtRecorded(parts, run, signal) : undefined;
    for (const { wish, port, holder, from } of noted) {
      const service = sights ? seen(sights.get(holder), run.services[holder]?.runtime) : 'starting';
      if (service !== undefined) own.set(wish, { port, service, ...(from === undefined ? {} : { from }) });
    }
  }
  return own;
}

/** Wishes for ports that services of the run are about to give up, each of which only one can have. */
function takenOver(wishes: readonly Wish[], givenUp: readonly PortGivenUp[]): Noted[] {
  const left = new Set(givenUp);
  return wishes.flatMap((wish): Noted[] => {
    const found = [...left].find(
      ({ port, protocol, ip }) =>
        protocol === wish.protocol &&
        portsAskedFor(wish).includes(port) &&
        addressesMeet(plainAddress(ip), wish.address),
    );
    if (found === undefined) return [];
    left.delete(found);
    return [{ wish, port: found.port, holder: found.service, from: found.service }];
  });
}

function seen(sight: Sight | undefined, runtime: string | undefined): OwnPort['service'] | undefined {
  if (sight === undefined) return undefined;
  if ('failure' in sight) return { unseen: sight.failure, runtime };
  return sight.status === 'running' ? 'running' : undefined;
}
