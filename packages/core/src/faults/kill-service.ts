import type { Fault } from './fault.js';
import { ownService, refused } from './own-service.js';

/** Ends a service as a crash would. */
export const killService: Fault = {
  name: 'kill-service',
  summary: 'Ends a service at once, as a crash would',
  lasts: false,
  expect: 'CONTAINER_CRASH',
  async inject(kernel, { service: wanted, signal }) {
    const { run, service, runtime } = await ownService(kernel, wanted, signal);
    if (!runtime.disturb) throw refused(`Services on ${runtime.name} cannot be killed`);
    await runtime.disturb(run, service, 'kill', signal);
    return { target: `service:${service}`, message: `${service} was killed` };
  },
};
