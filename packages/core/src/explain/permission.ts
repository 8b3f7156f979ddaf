import type { Kernel } from '../kernel/kernel.js';
import type { Recoverer } from '../model/recoverer.js';
import { allowedRisks } from '../recover/policy/allowed-risks.js';
import type { Autonomy } from '../recover/policy/settings.js';

/** Whether argus may do something by itself. */
export interface Permission {
  /** Whether the configured autonomy allows it. */
  readonly alone: boolean;
  /** The lowest autonomy that allows it. */
  readonly from: Autonomy;
  /** How many checks in a row must have found the problem before. */
  readonly afterChecks: number;
}

/** Whether argus may use a recoverer by itself, as far as that does not depend on what it is used on. */
export function permissionFor({ config }: Pick<Kernel, 'config'>, { risk }: Recoverer): Permission {
  const { autonomy, consecutiveFailures } = config.policy;
  const levels = Object.keys(allowedRisks) as Autonomy[];
  return {
    alone: allowedRisks[autonomy].includes(risk),
    from: levels.find((level) => allowedRisks[level].includes(risk)) ?? 'full',
    afterChecks: risk === 'safe' ? 1 : consecutiveFailures,
  };
}
