import type { Hooks } from '../hooks/hooks.js';
import { isTapped } from '../hooks/is-tapped.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Clock } from '../time/clock.js';
import { withTimeLimit } from '../time/time-limit.js';

/** How long plugins may take to agree, in milliseconds. */
const hookMs = 10_000;

/** Why a plugin forbids a step, if one does. One that breaks while it is asked, or never answers, has not agreed, so that is a veto too. */
export async function vetoOf(
  { hooks, clock }: { readonly hooks: Pick<Hooks, 'beforeRecover'>; readonly clock: Clock },
  step: PlannedStep,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!isTapped(hooks.beforeRecover)) return undefined;
  try {
    const reason = await withTimeLimit(clock, hookMs, signal, 'a plugin gave no answer', async () =>
      hooks.beforeRecover.promise(structuredClone(step)),
    );
    return reason === undefined ? undefined : `veto: ${reason}`;
  } catch (thrown) {
    const { message } = toStructuredError(thrown, clock.now());
    return `veto: a plugin broke when it was asked: ${message}`;
  }
}
