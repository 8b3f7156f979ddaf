import type { Kernel } from '../../kernel/kernel.js';
import type { RunRecord } from '../runs/run-record.js';
import type { ServiceState } from '../runtime.js';

/**
 * Lets services go on that somebody has paused: mostly nothing else is wrong with them. One that cannot go on stays as it was seen, and
 * is dealt with as any other that hangs.
 */
export async function resumePaused(
  { runtimes, events }: Pick<Kernel, 'runtimes' | 'events'>,
  run: RunRecord,
  seen: ReadonlyMap<string, ServiceState>,
  signal: AbortSignal,
): Promise<{ readonly before: ReadonlyMap<string, ServiceState>; readonly resumed: readonly string[] }> {
  const before = new Map(seen);
  const resumed: string[] = [];
  for (const [service, { paused, ...state }] of seen) {
    const runtime = runtimes.get(run.services[service]?.runtime ?? '');
    if (!paused || !runtime?.disturb) continue;
    try {
      await runtime.disturb(run, service, 'resume', signal);
    } catch {
      signal.throwIfAborted();
      // It is started anew then, and that says what is wrong.
      continue;
    }
    before.set(service, state);
    resumed.push(service);
    events.emit('service_state', { service, state: 'waiting', message: 'was paused and goes on' });
  }
  return { before, resumed };
}
