import type { Kernel } from '../../kernel/kernel.js';
import { ended } from '../health/wait-until-ready.js';
import { lookAt } from '../looks/look-at.js';
import type { RunContext, ServiceState } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import { tellFailure } from './tell-failure.js';

/**
 * One last look at everything that was not just seen: a service may have ended after it was ready, while others were still
 * starting.
 */
export async function confirmRunning(
  kernel: Kernel,
  context: RunContext,
  seen: ReadonlyMap<string, ServiceState>,
): Promise<void> {
  const { run, services, signal } = context;
  const unseen = services.filter(({ name }) => !seen.has(name));
  const states = new Map([...seen, ...(await lookAt(kernel, run, unseen, signal))]);
  for (const service of services) {
    const state = states.get(service.name);
    if (state === undefined || state.status === 'running') continue;
    if (service.oneShot && state.status === 'exited' && state.exitCode === 0) continue;
    const error = await ended({ service, runtime: runtimeOf(kernel, service), context }, state);
    tellFailure(context, service.name, error);
    throw error;
  }
}
