import type { ServiceState } from '../../environment/runtime.js';
import { pause } from '../../time/pause.js';
import type { Guarded, Watch } from '../guarded.js';
import type { LimitMet } from '../incidents/give-up.js';
import type { OpenIncident, RestartRecord } from '../incidents/incident.js';
import type { Failure } from '../watch/failure.js';
import { askDependents } from './ask-dependents.js';
import { repairService } from './repair-service.js';
import { isWell, restartService } from './restart-service.js';
import { suspectNeeded, whenNeededAreBack } from './when-needed-are-back.js';

/** How long a runtime that is down, or a run that is not this guardian's any more, is left alone before it is tried again, in milliseconds. */
export const unreachableMs = 1_000;

type Attempted =
  | { readonly incident: OpenIncident; readonly failure?: Failure }
  | { readonly limit: LimitMet['limit'] };

/**
 * Makes one attempt, and notes what became of it. A service that is not well is repaired, where plugins know how; when that
 * helps, it was the attempt, and the service is not restarted. A runtime that is down costs none. A service that was not seen just now may
 * be well again, and is left alone then.
 */
export async function attemptRestart(
  watch: Watch,
  guarded: Guarded,
  incident: OpenIncident,
  known: Omit<RestartRecord, 'at' | 'verdict'>,
  signal: AbortSignal,
  { state: seen, isUnwell }: { readonly state: ServiceState | undefined; readonly isUnwell: boolean },
): Promise<Attempted> {
  const { kernel, book } = watch;
  const { clock, events } = kernel;
  for (let state = seen; ; state = undefined) {
    if (!state) {
      const [well] = await Promise.all([
        isWell(watch, guarded, signal),
        suspectNeeded(watch, guarded, signal),
      ]);
      if (well) {
        guarded.standing.up();
        return { incident };
      }
    }
    // What it needs may have ended since, also while its runtime was down.
    if (await whenNeededAreBack(watch, guarded, signal)) continue;
    if (!(await watch.mayAct())) {
      // The watch is about to end, which the signal tells.
      await pause(clock, unreachableMs, signal);
      continue;
    }
    const begun = clock.monotonic();
    const at = clock.now();
    const withRecord = (
      attempt: number,
      rest: Pick<RestartRecord, 'verdict' | 'durationMs' | 'repaired' | 'withoutRestart'>,
    ) => ({
      ...incident,
      restarts: [...incident.restarts, { ...known, attempt, at, ...rest }],
    });
    const permission = await book.take(guarded.name, known.reason, (attempt) =>
      withRecord(attempt, { verdict: 'pending' }),
    );
    if (!permission.granted) return { limit: permission.limit };
    const { attempt } = permission;
    const repair = isUnwell ? await repairService(watch, guarded, signal) : undefined;
    const restarted = repair?.isWell
      ? ({ is: 'ready' } as const)
      : await restartService(watch, guarded, signal, repair ? undefined : state);
    if (restarted.is === 'unreachable') {
      await book.giveBack(guarded.name);
      guarded.reach.lost();
      await pause(clock, unreachableMs, signal);
      continue;
    }
    const durationMs = Math.round(clock.monotonic() - begun);
    const verdict = restarted.is === 'ready' ? 'healthy' : 'failed';
    const repaired = repair ? { repaired: [...repair.what] } : {};
    const withoutRestart = repair?.isWell ? { withoutRestart: true as const } : {};
    const next = withRecord(attempt, { verdict, durationMs, ...repaired, ...withoutRestart });
    if (repair?.isWell) await book.noteRepair(guarded.name, next);
    else await book.note(guarded.name, next);
    if (restarted.is === 'failed') return { incident: next, failure: restarted.failure };
    // Before anybody hears that all is well: those that go with it are not.
    askDependents(watch, guarded.name, [], incident.error);
    guarded.standing.up();
    const told = repair?.isWell ? repaired : {};
    events.emit('restart_success', { container: guarded.name, attempt, duration: durationMs, ...told });
    return { incident: next };
  }
}
