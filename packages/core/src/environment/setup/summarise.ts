import { isDeepStrictEqual } from 'node:util';
import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { cancelled } from '../../model/core-error-codes.js';
import type { Json } from '../../model/json.js';
import { endpointsOf } from '../ports/endpoints.js';
import type { Claim } from '../runs/claim-run.js';
import { nowUp } from '../runs/interrupted.js';
import type { RunRecord } from '../runs/run-record.js';
import { changeRun } from '../runs/runs.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import type { Passage } from './gate.js';
import type { RunningService, SetupResult } from './setup-result.js';
import type { PortResolution } from './stage.js';
import type { Started } from './start-services.js';

/** What a setup has come to. */
interface Outcome extends Passage {
  readonly started: Started;
  /** Services that were stopped because they are no longer part of it, or not in the same way. */
  readonly dropped: readonly string[];
  /** Services that were broken on purpose by somebody who is gone, and go on. */
  readonly resumed: readonly string[];
  readonly resolution: PortResolution;
  readonly stages: Record<string, number>;
}

/** Marks the run as up, for as long as its lease lasts, and says what there is now. */
export async function summarise(
  kernel: Kernel,
  { run, reused }: Claim,
  outcome: Outcome,
): Promise<SetupResult> {
  const { started, dropped, resumed, resolution, stages, parts, preflight } = outcome;
  const leaseUntil = kernel.clock.now() + kernel.config.environment.lease;
  await markUp(kernel, run, leaseUntil);
  const isThere = new Set(started.services.map(({ name }) => name));
  const part = (name: string): Json | undefined => parts.get(name);
  const [orphanCleanup, networkVerification] = [part('orphanCleanup'), part('networkVerification')];
  return {
    runId: run.id,
    unchanged:
      reused && dropped.length + resumed.length + started.resumed.length === 0 && isAsBefore(started),
    services: started.services.map((service) => running(kernel, service, started)),
    removed: dropped.filter((name) => !isThere.has(name)),
    resumed: [...new Set([...resumed, ...started.resumed])],
    portMappings: [...resolution.portMappings],
    vars: { ...started.vars },
    env: started.ports.variables(),
    ...(preflight ? { preflight } : {}),
    ...(orphanCleanup === undefined ? {} : { orphanCleanup }),
    ...(networkVerification === undefined ? {} : { networkVerification }),
    stages,
    leaseUntil,
  };
}

function isAsBefore({ kept, repaired, services }: Started): boolean {
  return kept.size === services.length && repaired.size === 0;
}

/** Only while it is this setup's: somebody to whom it looked as if this process were gone may be taking it down. */
async function markUp({ store }: Kernel, { id, owner }: RunRecord, leaseUntil: number): Promise<void> {
  let isOurs = false;
  await changeRun(store, id, (record) => {
    isOurs = record.state === 'starting' && isDeepStrictEqual(record.owner, owner);
    return isOurs ? { ...nowUp(record), leaseUntil } : undefined;
  });
  if (isOurs) return;
  throw new ArgusError(cancelled, {
    message: `The run ${id} was taken from this setup by somebody who takes it down`,
    details: { runId: id },
  });
}

function running(kernel: Kernel, service: ServiceSpec, { ports, kept }: Started): RunningService {
  const { name, kind, oneShot } = service;
  const status = oneShot ? 'done' : kept.has(name) ? 'kept' : 'ready';
  return {
    name,
    kind,
    runtime: runtimeOf(kernel, service).name,
    status,
    endpoints: endpointsOf(ports.of(name)),
  };
}
