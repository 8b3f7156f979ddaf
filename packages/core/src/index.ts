// The public face of @argusai/core: what plugin authors use first, then what adapters use.

export { type CheckOptions, defaultDeadlineMs } from './check/check-options.js';
export { runChecks } from './check/run-checks.js';
export type { CheckFilter } from './check/select-checkers.js';
export type { CallOptions, Circuit, CircuitOperation } from './circuit/circuit.js';
export type {
  CircuitBreakerState,
  CircuitFault,
  CircuitReset,
  CircuitState,
} from './circuit/circuit-state.js';
export { type CircuitDefinition, Circuits, type CircuitsConfig, createCircuits } from './circuit/circuits.js';
export { asWritten } from './config/as-written.js';
export type { ConfigOrigin } from './config/config-origin.js';
export { folderToAgreeTo } from './config/config-without-code.js';
export { duration, formatDuration, parseDuration } from './config/duration.js';
export { type FoundConfig, findConfig } from './config/find-config.js';
export type { Builtins } from './config/find-plugin.js';
export { onUserCode } from './config/import-module.js';
export { configJsonSchema } from './config/json-schema.js';
export { type LoadedConfig, loadConfig } from './config/load-config.js';
export { formatPath } from './config/path.js';
export { usePlugin } from './config/plugin-options.js';
export { mappingOf, type PortMapping } from './config/port-mapping.js';
export type { Quantity } from './config/quantity.js';
export {
  type ArgusConfig,
  type ArgusConfigInput,
  configSchema,
  defaultConfig,
  defineConfig,
} from './config/schema.js';
export { formatSize, parseSize, size } from './config/size.js';
export { endLeftCommands } from './environment/commands/end-left-commands.js';
export { endLeftCommand, leftCommands } from './environment/commands/left-commands.js';
export { type HealthParts, type TriedHealth, triedWithinMs } from './environment/health/try-health.js';
export { type HealthLookup, tryHealthOfRuns } from './environment/health/try-health-of-runs.js';
export { lookAtRecorded, type Sight, type StartedRun } from './environment/looks/look-recorded.js';
export { labelNames, labelsOf, ownershipOf } from './environment/ownership/labels.js';
export {
  type Liveness,
  livenessOf,
  type OwnerLookup,
  ownerLookup,
} from './environment/ownership/liveness.js';
export type { Removal, Resource, ResourceType } from './environment/ownership/resource.js';
export { resourceTarget } from './environment/ownership/resource-target.js';
export { reachableAt } from './environment/ports/address.js';
export { type PortGivenUp, portsGivenUp } from './environment/ports/ports-given-up.js';
export { portsSpeltOut, spellingOf } from './environment/ports/ports-spelt-out.js';
export { portSpeltOut, speltOutIn } from './environment/ports/refuse-spelt-out.js';
export { type KnownProcess, signalKnown } from './environment/processes/known-process.js';
export {
  type MarkedProcesses,
  type Marks,
  markedProcesses,
} from './environment/processes/marked-processes.js';
export { ownIdentity, processStart } from './environment/processes/process-identity.js';
export { descendantsOf } from './environment/processes/process-tree.js';
export { tellWaiting, type Waiting } from './environment/removal/tell-waiting.js';
export {
  expectServices,
  type MissedService,
  type ServicesMissed,
} from './environment/runs/expect-services.js';
export { asItIs } from './environment/runs/interrupted.js';
export { isGone } from './environment/runs/is-gone.js';
export {
  type Judge,
  type Judged,
  type Judgement,
  judgeResource,
  judgeResources,
  livenessOfRecord,
  type Viewpoint,
} from './environment/runs/judge-resource.js';
export { neededRuntimes } from './environment/runs/needed-runtimes.js';
export type {
  PortAssignment,
  RunCommand,
  RunGuardian,
  RunHolder,
  RunIdentity,
  RunOwner,
  RunRecord,
  RunService,
} from './environment/runs/run-record.js';
export { abandonRun, forgetRun, readRun, runsNamespace, runsOf } from './environment/runs/runs.js';
export { runsUp } from './environment/runs/runs-up.js';
export { type Seizing, type SeizingDead, seizeDeadRun } from './environment/runs/seize-run.js';
export { whyNothingUp } from './environment/runs/why-nothing-up.js';
export type {
  BuildContext,
  Disturbance,
  LogLine,
  LogQuery,
  RunContext,
  Runtime,
  RuntimeEvent,
  ServiceState,
} from './environment/runtime.js';
export { type CommandWords, commandWords } from './environment/services/command-words.js';
export { configKey } from './environment/services/config-key.js';
export { mockHealthPath } from './environment/services/environment-of.js';
export { isMeantToStay } from './environment/services/meant-to-stay.js';
export { usedRuntimes } from './environment/services/runtime-of.js';
export type {
  BuildSpec,
  EnvironmentSpec,
  HealthSpec,
  MockRoute,
  ServiceSpec,
} from './environment/services/service-spec.js';
export type {
  DiagnosisContext,
  NamedPort,
  PortResolution,
  PrepareContext,
  RepairContext,
  StageContext,
} from './environment/setup/stage.js';
export { listensForOthers } from './environment/sockets/listens-for-others.js';
export { addressesMeet, everywhere, plainAddress } from './environment/sockets/plain-address.js';
export { type PortKey, type Protocol, portKey } from './environment/sockets/port-key.js';
export {
  type BoundSocket,
  describeHolder,
  type Holder,
  readSocketTable,
  type SocketTable,
} from './environment/sockets/socket-table.js';
export { causedEnd } from './environment/status/caused-end.js';
export { goneService } from './environment/status/gone-service.js';
export { EventBus, type EventListener } from './events/event-bus.js';
export type { ResilienceEvent, ResilienceEvents } from './events/events.js';
export {
  type Advice,
  type AdviceScene,
  type AdvisedCall,
  advise,
  type PersonStep,
} from './explain/advise.js';
export { type GuardOptions, guardRun } from './guardian/guard-run.js';
export type {
  Evidence,
  GuardReport,
  Incident,
  IncidentOutcome,
  RestartRecord,
  ToldIncident,
} from './guardian/incidents/incident.js';
export { countAttempts, wasMade } from './guardian/incidents/incident.js';
export { incidentsOf } from './guardian/incidents/incidents.js';
export type { SuiteBoundaries } from './guardian/restart/suite-boundaries.js';
export type { Hooks } from './hooks/hooks.js';
export type { Taps } from './kernel/apply-plugins.js';
export { createKernel, type KernelSetup } from './kernel/create-kernel.js';
export type { Kernel, LaunchGuardian } from './kernel/kernel.js';
export * from './model/adapter-error-codes.js';
export { argumentList, type ProgramOptions } from './model/argument-list.js';
export { ArgusError, isArgusError } from './model/argus-error.js';
export type { Ask, Question } from './model/ask.js';
export type {
  Cause,
  CheckOutcome,
  CheckStatus,
  HealthCheckResult,
  Remark,
  ReportProblem,
} from './model/check-result.js';
export { type CheckContext, type Checker, defineChecker } from './model/checker.js';
export type { CommandStream, CommandStreams } from './model/command-streams.js';
export { type ConfigPlace, configPlace, describePlace } from './model/config-place.js';
export * from './model/core-error-codes.js';
export { counted } from './model/counted.js';
export { EndsSoon } from './model/ends-soon.js';
export * from './model/environment-error-codes.js';
export {
  defineErrorCode,
  type ErrorCategory,
  type ErrorCode,
  type ErrorSeverity,
  isErrorOf,
  type Occurrence,
  type StructuredError,
  structuredError,
} from './model/error-code.js';
export { type HealthReport, isBlinding, type OverallHealth, overallOf } from './model/health-report.js';
export { homeFolder } from './model/home-folder.js';
export { isJson, type Json, type JsonObject, toJson } from './model/json.js';
export { nearest } from './model/nearest.js';
export {
  defineOperation,
  harmlessDryRun,
  type Operation,
  type OperationContext,
  type OperationEffects,
} from './model/operation.js';
export {
  definePlugin,
  isBundled,
  type LoadedPlugin,
  type Plugin,
  type PluginContext,
} from './model/plugin.js';
export { printable, printableJson, printableLines, quotation, quoted } from './model/printable.js';
export type { Project } from './model/project.js';
export {
  type ApplyContext,
  defineRecoverer,
  type Finding,
  type PlanContext,
  type Recoverer,
  type RecoveryStep,
  type Risk,
  type StepResult,
} from './model/recoverer.js';
export type { FindingReference, PlannedStep, RecoveryPlan, UnhandledFinding } from './model/recovery-plan.js';
export type { RecoveryReport, Refusal, StepOutcome, Verdict } from './model/recovery-report.js';
export { remedyOf } from './model/remedy-of.js';
export * from './model/run-error-codes.js';
export * from './model/service-error-codes.js';
export { shellWord } from './model/shell-word.js';
export * from './model/start-error-codes.js';
export { toStructuredError } from './model/to-structured-error.js';
export { guardianLauncher } from './open/guardian-launcher.js';
export {
  type GuardianRequest,
  type OpenOptions,
  type OpenProject,
  openArgus,
  openWithoutCode,
} from './open/open-argus.js';
export { openError } from './open/open-error.js';
export { openFolder } from './open/open-folder.js';
export { openForOperation } from './open/open-for-operation.js';
export { stateDir } from './open/state-dir.js';
export type { ShownConfig } from './operations/config.js';
export { coreOperations, corePlugin } from './operations/core-plugin.js';
export type { Envelope } from './operations/envelope.js';
export type { Explanation } from './operations/explanation-schema.js';
export { init } from './operations/init.js';
export type { ListedPlugin } from './operations/plugins.js';
export { structuredErrorSchema } from './operations/report-schemas.js';
export type { CoreOperationName, ResultOf } from './operations/result-of.js';
export { runOperation, type Surface } from './operations/run-operation.js';
export { isHealthReport, withCrash } from './operations/with-crash.js';
export { applyRecovery } from './recover/apply-recovery.js';
export { type Fix, type FixOptions, fix } from './recover/fix.js';
export { planRecovery } from './recover/plan-recovery.js';
export { excluded, namesOf } from './recover/policy/excluded.js';
export type { RecoveryMode } from './recover/policy/rule.js';
export { type StandingRefusal, standingRefusal } from './recover/policy/standing-refusal.js';
export type { RecordedRepair } from './recover/recorded-repairs.js';
export type { RepairOptions } from './recover/repair-options.js';
export { vetoOf } from './recover/veto.js';
export { collectSecrets } from './redact/collect-secrets.js';
export { LastLines, lastLinesOf } from './redact/last-lines.js';
export { createRedactor, type Redactor } from './redact/redactor.js';
export type { ReadonlyRegistry, Registrar } from './registry/registry.js';
export { type Blamed, blame, blockedError } from './standstill/blame.js';
export { CodeAtWork, type LoadedCode } from './standstill/code-at-work.js';
export { type Frame, pauseIn, placesIn } from './standstill/frames.js';
export { blindnessOf } from './state/blindness.js';
export { ChangeQueue } from './state/change-queue.js';
export { createMemoryStore } from './state/memory-store.js';
export {
  createOwnFile,
  makeOwnFolder,
  openAtEnd,
  openFresh,
  replaceOwnFile,
  requireOwnFolder,
  unsafeFolder,
} from './state/own-files.js';
export type {
  ReadOptions,
  Retention,
  StateStore,
  StoreChange,
  StoredDocument,
  StreamEntry,
  WriteCondition,
  WriteResult,
} from './state/state-store.js';
// For those who write a store: what every one of them must refuse in the same way.
export {
  requireCondition,
  requireNames,
  requireReadOptions,
  requireRetention,
  toStoredText,
} from './state/storable.js';
export { updateDocument } from './state/update-document.js';
export { type Clock, systemClock } from './time/clock.js';
export { type LimitedSignal, limitedSignal } from './time/limited-signal.js';
export { pause } from './time/pause.js';
export { type Random, systemRandom } from './time/random.js';
export { withTimeLimit } from './time/time-limit.js';
export { whenAborted } from './time/when-aborted.js';
export {
  type ConsentRecord,
  consentRecords,
  forgetConsent,
  recordConsent,
  recordedCommands,
} from './trust/records.js';
export { requireAgreement, trustedBy, trustedInEnv } from './trust/trusted.js';
