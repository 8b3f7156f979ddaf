import { property } from '../../model/property.js';

const switchedOff =
  'left out: healthcheck: it is switched off there; here the image counts as healthy by its own check, if it has one';

/** A health check of Compose as a command, or why there is none. */
export function healthcheckOf(check: unknown): { healthcheck?: Record<string, unknown>; problem?: string } {
  if (check === undefined) return {};
  const test = property(check, 'test');
  const [first, ...words] = Array.isArray(test) ? test : ['CMD-SHELL', test];
  if (property(check, 'disable') === true || first === 'NONE') return { problem: switchedOff };
  const command = first === 'CMD' ? words : first === 'CMD-SHELL' ? words[0] : undefined;
  if (command === undefined) return { problem: 'left out: healthcheck: it has no test of its own' };
  const given = {
    interval: property(check, 'interval'),
    timeout: property(check, 'timeout'),
    retries: property(check, 'retries'),
    startPeriod: property(check, 'start_period'),
  };
  const times = Object.entries(given).filter(([, value]) => value !== undefined);
  return { healthcheck: { command, ...Object.fromEntries(times) } };
}
