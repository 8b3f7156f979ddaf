import type { Kernel } from '../../kernel/kernel.js';
import { standingRefusal } from '../../recover/policy/standing-refusal.js';
import type { Guarded } from '../guarded.js';
import type { Failure } from '../watch/failure.js';

/** Why the guardian leaves a service alone, whatever its budget; nothing when it may restart it. */
export function whyNotRestart(
  { config }: Pick<Kernel, 'config'>,
  { name, isCurrent }: Pick<Guarded, 'name' | 'isCurrent'>,
  { state }: Pick<Failure, 'state'>,
): string | undefined {
  const { resilience, policy } = config;
  if (!resilience.container.restartOnFailure) return 'resilience.container.restartOnFailure is off';
  const container = state.details?.container;
  const names = [`service:${name}`, ...(typeof container === 'string' ? [`container:${container}`] : [])];
  const refusal = standingRefusal(policy, { risk: 'disruptive', names });
  if (refusal?.rule === 'autonomy') return `autonomy: ${policy.autonomy}`;
  if (refusal) return refusal.reason;
  // What has ended can be begun again as it was; what is gone could only be made from another configuration.
  if (state.status === 'missing' && !isCurrent)
    return 'it is gone, and its configuration has changed since it was started; argus setup starts it anew';
  return undefined;
}
