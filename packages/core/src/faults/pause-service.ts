import type { Fault } from './fault.js';
import { ownService, refused } from './own-service.js';

/** Has a service hang. */
export const pauseService: Fault = {
  name: 'pause-service',
  summary: 'Has a service hang: it is there and does nothing until a guardian restarts it or the time is up',
  lasts: true,
  expect: 'HEALTH_CHECK_TIMEOUT',
  async inject(kernel, { service: wanted, signal }) {
    const { run, service, runtime } = await ownService(kernel, wanted, signal);
    const { disturb } = runtime;
    if (!disturb) throw refused(`Services on ${runtime.name} cannot be paused`);
    await disturb.call(runtime, run, service, 'pause', signal);
    const guarded = run.guardian
      ? ''
      : '; nobody guards it, so that only argus check and argus status tell of it';
    return {
      ...{ target: `service:${service}`, message: `${service} was paused${guarded}` },
      // Whatever has become of it: a guardian may have started it again meanwhile. It must go on also when this is cancelled.
      undo: () => disturb.call(runtime, run, service, 'resume', new AbortController().signal),
    };
  },
};
