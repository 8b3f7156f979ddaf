import { defineChecker } from '@argusai/core';
import { dnsResolutionFailed, latencyHigh, networkUnreachable } from '../error-codes.js';
import type { TcpTarget } from '../options.js';
import { calmly } from '../outside/calmly.js';
import { connect } from '../outside/connect.js';
import { failureOf } from '../outside/failure.js';
import { inTurns } from '../outside/in-turns.js';
import { answered, noAnswer } from '../outside/problem.js';

/** Makes `network.tcp`: ports that a team needs accept connections. */
export function tcpChecker(targets: readonly TcpTarget[]) {
  return defineChecker({
    name: 'network.tcp',
    description: 'Ports that the configuration names accept connections',
    codes: [networkUnreachable, dnsResolutionFailed, latencyHigh],
    check: (context) =>
      inTurns(targets, async (target) => {
        const { address, timeout } = target;
        try {
          const { latencyMs } = await calmly(target.latency, () => connect(address, timeout, context));
          return answered(target, latencyMs, 'accepts connections', context);
        } catch (error) {
          context.signal.throwIfAborted();
          return noAnswer({ ...target, ...address }, failureOf(error), context);
        }
      }),
  });
}
