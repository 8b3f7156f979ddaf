import { isTapped } from '../../hooks/is-tapped.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Json } from '../../model/json.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { withTimeLimit } from '../../time/time-limit.js';
import type { RunContext } from '../runtime.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** How long plugins may take: somebody waits for the service. */
const limitMs = 15_000;

/** What plugins know of a service that fails its health check. */
export interface Diagnosis {
  /** What they found out, such as `network` and `dns`. */
  readonly parts: Readonly<Record<string, Json>>;
  /** What they think would help. */
  readonly actions: readonly string[];
  /** What they say keeps it from being well. */
  readonly reasons: readonly string[];
  /** Why there may be more to know. */
  readonly gap?: string;
}

/** Asks plugins what else there is to know of a service that fails its health check. What they have said in time counts. */
export async function diagnose(
  { hooks, clock }: Pick<Kernel, 'hooks' | 'clock'>,
  service: ServiceSpec,
  context: RunContext,
): Promise<Diagnosis> {
  const parts = new Map<string, Json>();
  const actions = new Set<string>();
  const reasons: string[] = [];
  const found = () => ({ parts: Object.fromEntries(parts), actions: [...actions], reasons: [...reasons] });
  if (!isTapped(hooks.diagnoseService)) return found();
  const say = {
    report: (part: string, value: Json) => void parts.set(part, value),
    suggest: (action: string) => void actions.add(action),
    explain: (why: string) => void reasons.push(why),
  };
  try {
    await withTimeLimit(clock, limitMs, context.signal, 'it did not end', (signal) =>
      hooks.diagnoseService.promise({ ...context, ...say, service, signal }),
    );
    return found();
  } catch (thrown) {
    context.signal.throwIfAborted();
    return { ...found(), gap: toStructuredError(thrown, clock.now()).message };
  }
}
