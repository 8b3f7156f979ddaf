import { formatDuration } from '../config/duration.js';
import { checkOf } from '../environment/health/wait-until-ready.js';
import { noteFault } from '../environment/runs/run-faults.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import type { Runtime, ServiceState } from '../environment/runtime.js';
import { environmentOf } from '../environment/services/environment-of.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Fault } from './fault.js';
import { ownService, refused } from './own-service.js';

/** How much longer than its health check takes to fail a service hangs: time to be restarted, or to be looked at. */
const spareMs = 30_000;

/** Has a service hang. */
export const pauseService: Fault = {
  name: 'pause-service',
  summary: 'Has a service hang: it is there and does nothing until a guardian restarts it or the time is up',
  lasts: true,
  expect: 'HEALTH_CHECK_TIMEOUT',
  async inject(kernel, { service: wanted, signal, forMs }) {
    const { run, service, runtime, state } = await ownService(kernel, wanted, signal);
    const { disturb } = runtime;
    if (!disturb) throw refused(`Services on ${runtime.name} cannot be paused`);
    const lastsMs = forMs ?? noticedAfter(kernel, service) + spareMs;
    // Before it is done: whoever is killed from here on leaves word of it.
    const until = kernel.clock.now() + lastsMs;
    const strikeOff = await noteFault(kernel, run.id, { fault: pauseService.name, service, until });
    try {
      await disturb.call(runtime, run, service, 'pause', signal);
    } catch (thrown) {
      await strikeOff();
      throw thrown;
    }
    const guarded = run.guardian
      ? ''
      : '; nobody guards it, so that only argus check and argus status tell of it';
    return {
      target: `service:${service}`,
      lastsMs,
      message: `${service} was paused for up to ${formatDuration(lastsMs)}${guarded}`,
      isReplaced: async (looking) => (await placeNow(runtime, run, state, looking)) === 'another',
      // Whatever has become of it: a guardian may have started it again meanwhile. It must go on also when this is cancelled.
      async undo() {
        const { signal: unending } = new AbortController();
        const found = await placeNow(runtime, run, state, unending);
        await disturb.call(runtime, run, service, 'resume', unending);
        await strikeOff();
        return found === 'same' ? undefined : 'replaced';
      },
    };
  },
};

/** What is in the place of a service: what was there before, another or the same started again, or nothing that runs. */
async function placeNow(
  runtime: Runtime,
  run: RunRecord,
  before: ServiceState,
  signal: AbortSignal,
): Promise<'same' | 'another' | 'nothing'> {
  try {
    const [now] = await runtime.inspect(run, [before.service], signal);
    if (now?.id === before.id && now?.startedAt === before.startedAt) return 'same';
    return now?.status === 'running' ? 'another' : 'nothing';
  } catch {
    // Then nobody knows of another, and letting the service go on tells what is wrong.
    return 'same';
  }
}

/** How long the health check of a service takes to fail when the service hangs, in milliseconds. */
function noticedAfter({ config, project }: Kernel, name: string): number {
  const service = environmentOf(config, project).services.find((one) => one.name === name);
  const check = service && checkOf(service);
  return check ? check.retries * (check.interval + check.timeout) : 0;
}
