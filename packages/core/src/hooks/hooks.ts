import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, SyncHook } from 'tapable';
import type { RunIdentity } from '../environment/runs/run-record.js';
import type { Runtime } from '../environment/runtime.js';
import type {
  DiagnosisContext,
  PortResolution,
  PrepareContext,
  RepairContext,
  StageContext,
} from '../environment/setup/stage.js';
import type { HealthCheckResult } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import type { ErrorCode } from '../model/error-code.js';
import type { HealthReport } from '../model/health-report.js';
import type { Operation } from '../model/operation.js';
import type { Recoverer } from '../model/recoverer.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';
import type { Registrar } from '../registry/registry.js';

/** Creates the hooks of one kernel. This is the only place that lists them; their type is derived from it. */
export function createHooks() {
  return {
    /** Registration of error codes. */
    errorCodes: new SyncHook<[Registrar<ErrorCode>]>(['codes']),
    /** Registration of checkers. */
    checkers: new SyncHook<[Registrar<Checker>]>(['checkers']),
    /** Registration of recoverers. */
    recoverers: new SyncHook<[Registrar<Recoverer>]>(['recoverers']),
    /** Registration of operations. */
    operations: new SyncHook<[Registrar<Operation>]>(['operations']),
    /** Registration of runtimes. */
    runtimes: new SyncHook<[Registrar<Runtime>]>(['runtimes']),
    /** Told before a checker runs. */
    beforeCheck: new AsyncSeriesHook<[Checker]>(['checker']),
    /** Told of every result. */
    afterCheck: new AsyncSeriesHook<[HealthCheckResult]>(['result']),
    /** Asked before a step is carried out: to veto it, return the reason. */
    beforeRecover: new AsyncSeriesBailHook<[PlannedStep], string | undefined>(['step']),
    /** Told what became of a step. */
    afterRecover: new AsyncSeriesHook<[StepOutcome]>(['outcome']),
    /** May add to a report before anyone sees it. */
    report: new AsyncSeriesWaterfallHook<[HealthReport]>(['report']),
    /** First stage of a setup: clears the ground, such as what dead runs left behind. */
    prepareEnvironment: new AsyncSeriesHook<[PrepareContext]>(['stage']),
    /** Second stage: gives every service the ports that it can have. */
    resolveEnvironment: new AsyncSeriesWaterfallHook<[PortResolution, StageContext]>(['resolution', 'stage']),
    /**
     * Asked to put right what keeps services from being well, without starting them anew: those that ran before a setup, before
     * anybody waits for their health, and those of a run of which one fails its health check, before it is restarted.
     */
    repairServices: new AsyncSeriesHook<[RepairContext]>(['repair']),
    /** Last stage, when all services are up: proves that they can be used. */
    verifyEnvironment: new AsyncSeriesHook<[StageContext]>(['stage']),
    /** Asked what else there is to know of a service that fails its health check, before it is restarted or taken down. */
    diagnoseService: new AsyncSeriesHook<[DiagnosisContext]>(['diagnosis']),
    /** Told when a run is over, so that what was kept for it can be released. */
    afterStop: new AsyncSeriesHook<[RunIdentity]>(['run']),
  };
}

/** The hooks of a kernel. */
export type Hooks = ReturnType<typeof createHooks>;
