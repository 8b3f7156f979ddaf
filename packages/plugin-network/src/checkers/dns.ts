import { defineChecker } from '@argusai/core';
import { dnsResolutionFailed, latencyHigh } from '../error-codes.js';
import type { DnsTarget } from '../options.js';
import { calmly } from '../outside/calmly.js';
import { type Failure, failureOf } from '../outside/failure.js';
import { inTurns } from '../outside/in-turns.js';
import { lookUp } from '../outside/look-up.js';
import { answered, noAnswer } from '../outside/problem.js';

/** Makes `network.dns`: names that a team needs lead somewhere. */
export function dnsChecker(targets: readonly DnsTarget[]) {
  return defineChecker({
    name: 'network.dns',
    description: 'Host names that the configuration names can be resolved',
    codes: [dnsResolutionFailed, latencyHigh],
    check: (context) =>
      inTurns(targets, async (target) => {
        try {
          const { host, timeout, latency } = target;
          const { addresses, latencyMs } = await calmly(latency, () => lookUp(host, timeout, context));
          const outcome = answered(target, latencyMs, `is ${addresses.join(', ')}, found`, context);
          return { ...outcome, details: { ...outcome.details, addresses: [...addresses] } };
        } catch (error) {
          context.signal.throwIfAborted();
          return noAnswer({ ...target, port: null }, asLookup(failureOf(error)), context);
        }
      }),
  });
}

/** Where only a name was looked up, whatever took too long or broke off was the answer of a name server. */
function asLookup(failure: Failure): Failure {
  const { kind, systemCode } = failure;
  return kind === 'dns' || kind === 'unknown' ? failure : { kind: 'dns', reason: 'no-answer', systemCode };
}
