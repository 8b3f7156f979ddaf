import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import { currentRun } from '../../environment/runs/claim-run.js';
import type { RunGuardian, RunRecord } from '../../environment/runs/run-record.js';
import type { Kernel } from '../../kernel/kernel.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import { guardianGone } from '../../model/service-error-codes.js';
import { backgroundGuardian } from './background-guardian.js';
import { silenceOf } from './heartbeat.js';

/**
 * That the run of this folder is up and was to be guarded, but nobody does: the guardian in the background is dead, or whoever is at its
 * post gives no sign of life. Nothing otherwise.
 */
export async function goneGuardian(kernel: Kernel): Promise<StructuredError | undefined> {
  const run = await currentRun(kernel);
  const { guardian } = run ?? {};
  if (run?.state !== 'up' || !guardian) return undefined;
  const isDead = async (one: RunGuardian) => (await ownerLookup(hostname())(one)) === 'dead';
  // Also when somebody else guards it for now: nobody will when that one leaves.
  const background = backgroundGuardian(run);
  if (background && (await isDead(background))) return unguarded(kernel, run, background, 'dead', 'is gone');
  const silentMs = (await isDead(guardian)) ? undefined : await silenceOf(kernel, run.id, guardian);
  if (silentMs === undefined) return undefined;
  const how = `has given no sign of life for ${Math.round(silentMs / 1_000)} s`;
  const error = unguarded(kernel, run, guardian, guardian.background ? 'silent' : 'suspended', how);
  // No setup ends a process that does other work too.
  return guardian.background ? error : { ...error, suggestedActions: [] };
}

function unguarded(
  { clock }: Kernel,
  { id: runId }: RunRecord,
  { pid, host }: RunGuardian,
  reason: 'dead' | 'silent' | 'suspended',
  how: string,
): StructuredError {
  const message = `Nobody restarts what fails: the guardian, process ${pid} on ${host}, ${how}`;
  return structuredError(guardianGone, { message, details: { runId, pid, host, reason } }, clock.now());
}
