import { formatDuration } from '../../config/duration.js';
import type { Kernel } from '../../kernel/kernel.js';
import { lookAtRecorded, type StartedRun } from '../looks/look-recorded.js';

/** After so long somebody asks who is waited for. Most services that hear a SIGTERM are gone by then. */
const firstMs = 2_000;
const nextMs = 5_000;

/** Who is waited for while services are taken down. */
export interface Waiting {
  /** These were told to stop just now. */
  told(services: Iterable<string>): void;
  /** Nobody is waited for any more. */
  end(): void;
}

/** Tells from time to time which of the services that were told to stop are still there. Gives back how to stop that. */
export function tellWaiting(
  kernel: Pick<Kernel, 'clock' | 'events' | 'runtimes'>,
  run: StartedRun,
  graceMs: number,
  signal: AbortSignal,
): Waiting {
  const { clock, events } = kernel;
  const toldAt = new Map<string, number>();
  let isOver = false;
  let cancel: () => void = () => undefined;
  const look = async () => {
    const services = Object.fromEntries(Object.entries(run.services).filter(([name]) => toldAt.has(name)));
    const sights = await lookAtRecorded(kernel, { ...run, services }, signal);
    for (const [service, sight] of isOver ? [] : sights) {
      if ('failure' in sight || sight.status !== 'running') continue;
      const waitedMs = clock.monotonic() - (toldAt.get(service) ?? 0);
      const message = `it has not ended ${formatDuration(seconds(waitedMs))} after SIGTERM, and is killed after ${formatDuration(graceMs)}`;
      events.emit('service_state', { service, state: 'stopping', message });
    }
    if (!isOver) again(nextMs);
  };
  const again = (ms: number) => {
    // Whoever takes down tells what went wrong; that nobody could look beside it says nothing new.
    cancel = clock.after(ms, () => void look().catch(() => undefined));
  };
  return {
    told(services) {
      for (const service of services) toldAt.set(service, clock.monotonic());
      if (graceMs > firstMs && toldAt.size > 0) {
        cancel();
        again(firstMs);
      }
    },
    end() {
      isOver = true;
      cancel();
    },
  };
}

const seconds = (ms: number) => Math.round(ms / 1_000) * 1_000;
