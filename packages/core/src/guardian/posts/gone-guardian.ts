import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import { currentRun } from '../../environment/runs/claim-run.js';
import type { Kernel } from '../../kernel/kernel.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import { guardianGone } from '../../model/service-error-codes.js';
import { backgroundGuardian } from './background-guardian.js';

/** That the run of this folder is up and was to be guarded in the background, but the guardian is dead; nothing otherwise. */
export async function goneGuardian(kernel: Kernel): Promise<StructuredError | undefined> {
  const run = await currentRun(kernel);
  const guardian = run && backgroundGuardian(run);
  if (run?.state !== 'up' || !guardian) return undefined;
  // Also when somebody else guards it for now: nobody will when that one leaves.
  if ((await ownerLookup(hostname())(guardian)) !== 'dead') return undefined;
  const { pid, host } = guardian;
  const message = `Nobody restarts what fails: the guardian, process ${pid} on ${host}, is gone; argus setup --guard starts another`;
  return structuredError(
    guardianGone,
    { message, details: { runId: run.id, pid, host } },
    kernel.clock.now(),
  );
}
