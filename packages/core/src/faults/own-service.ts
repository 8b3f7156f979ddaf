import { hostname } from 'node:os';
import { ownerLookup } from '../environment/ownership/liveness.js';
import { currentRun } from '../environment/runs/claim-run.js';
import { livenessOfRecord } from '../environment/runs/judge-resource.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import type { Runtime, ServiceState } from '../environment/runtime.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { suggesting } from '../model/suggesting.js';

/** A service that provably belongs to the run of this folder. */
export interface OwnService {
  readonly run: RunRecord;
  readonly service: string;
  readonly runtime: Runtime;
  /** How it was when it was found. */
  readonly state: ServiceState;
}

/** Finds the service that is meant, in the run of this folder. Its runtime must list it as that run's, and say that it runs. */
export async function ownService(
  kernel: Kernel,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<OwnService> {
  const run = await currentRun(kernel);
  const { alive } = await livenessOfRecord(run, kernel.clock.now(), ownerLookup(hostname()));
  if (!run || !alive || run.state !== 'up') throw nothingIsUp(kernel);
  const service = chosen(Object.keys(run.services), wanted);
  const runtime = kernel.runtimes.get(run.services[service]?.runtime ?? '');
  if (!runtime) throw refused(`No loaded plugin brings the runtime of ${service}`);
  const listed = await runtime.resources({ project: run.project, runId: run.id }, signal);
  const isOwn = listed.some(
    (one) => one.service === service && one.store === run.store && one.worktree === run.worktree,
  );
  if (!isOwn) throw refused(`Nothing shows that ${service} belongs to the run of this folder`);
  const [state] = await runtime.inspect(run, [service], signal);
  if (state?.status !== 'running') throw refused(`${service} does not run`);
  return { run, service, runtime, state };
}

function chosen(known: readonly string[], wanted: string | undefined): string {
  const [only, ...others] = known;
  if (wanted === undefined && only !== undefined && others.length === 0) return only;
  if (wanted === undefined) throw refused(`Say which service is meant: ${known.join(', ')}`, { known });
  if (known.includes(wanted)) return wanted;
  const suggestion = nearest(wanted, known);
  const rest = suggestion ? `did you mean ${suggestion}?` : `there are ${known.join(', ')}`;
  throw refused(`There is no service ${wanted}; ${rest}`, { known });
}

function nothingIsUp({ project }: Kernel): ArgusError {
  return new ArgusError(suggesting(usageInvalid, ['setup']), {
    message: `Nothing of ${project.name} is up in this folder; argus setup brings it up`,
  });
}

/** Why a fault is not done. */
export function refused(message: string, details: { readonly known?: readonly string[] } = {}): ArgusError {
  const { known } = details;
  return new ArgusError(usageInvalid, { message, details: known ? { known: [...known] } : {} });
}
