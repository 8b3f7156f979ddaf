import type {
  Explanation,
  Fix,
  HealthReport,
  Kernel,
  ListedPlugin,
  RecoveryPlan,
  RecoveryReport,
  ResilienceEvent,
  ShownConfig,
} from '@argusai/core';
import { checkFormats, type Format } from '../command-line/format.js';
import type { InputField, Placement } from '../command-line/input-fields.js';
import type { Input } from '../command-line/parse-input.js';
import type { NameKind } from '../completion/name-kind.js';
import {
  exitCodeOfCheck,
  exitCodeOfRecovery,
  exitCodeOfRun,
  exitCodeOfStatus,
  type FailOn,
} from '../exit-code.js';
import { circuitResetLines, type ShownCircuitReset } from './circuit-reset.js';
import { cleanLines, type ShownClean } from './clean.js';
import { configurationLines } from './configuration.js';
import { dataLines } from './data.js';
import { explanationLines } from './explanation.js';
import { faultListLines, harmLines, type ShownFaults, type ShownHarm } from './faults.js';
import { exitCodeOfFix, fixLines } from './fix.js';
import { foreignLines, type ShownForeign } from './foreign.js';
import { healthReportLines } from './health-report.js';
import { incidentsLines, type ShownIncidents } from './incidents.js';
import { initLines, type ShownInit } from './init.js';
import type { Line } from './line.js';
import type { LiveSurface, LiveView } from './live-view.js';
import { pluginListLines } from './plugin-list.js';
import { recoveryPlanLines } from './recovery-plan.js';
import { recoveryReportLines } from './recovery-report.js';
import { runLines, type ShownRun } from './run-report.js';
import { buildLines, type ShownBuild, type ShownSetup, setupLines } from './setup-result.js';
import { type ShownStatus, statusLines } from './status.js';

/** What surrounds the data that is shown. */
export interface Scene {
  readonly kernel: Kernel;
  /** What the operation was asked. */
  readonly input: Input;
  /** Marks instead of words, lists cut to this width. Nothing elsewhere than on a terminal. */
  readonly columns?: number;
}

/** How the command line shows one operation. */
export interface View {
  /** Command lines for help, for a project with a service `api`. A test executes each. */
  readonly examples?: readonly string[];
  /** Options that matter only here. */
  readonly options: readonly InputField[];
  /** Ways of writing results that only this one has. */
  readonly formats?: readonly Format[];
  /** Inputs that are given without their names, by name. */
  readonly placements?: Readonly<Record<string, Placement>>;
  /** Inputs that want names of the project and are not called by their kind. */
  readonly names?: Readonly<Record<string, NameKind>>;
  /** Whether an event is told to programs only, because for people it says nothing, or nothing that the result does not. */
  unsaid?(event: ResilienceEvent): boolean;
  /** Whether stdout belongs to something else, so that the data for people goes to stderr. */
  readonly leavesStdout?: boolean;
  /** Draws the work while it goes on, on a terminal. Its code is loaded for this only. Nothing when there is nothing to draw. */
  live?(surface: LiveSurface, input: Input): Promise<LiveView> | undefined;
  /** Whether that is a result, and so is drawn where results go. */
  readonly livesOnStdout?: boolean;
  /** What an event says that is a result of its own. */
  told?(event: ResilienceEvent, scene: Scene): readonly Line[] | undefined;
  /** Why it cannot be asked this in that format, if so. */
  refuses?(input: Input, format: Format): string | undefined;
  /** The data for people; nothing when it is for programs in any case. */
  lines?(data: unknown, scene: Scene): Line[];
  exitCode(data: unknown, own: Input): number;
  /** What that means beyond what holds for every command, in words; without the full stop. */
  readonly exitCodes?: string;
}

const failOn: InputField = {
  ...{ key: 'failOn', option: 'fail-on', kind: 'text', many: false, required: false },
  description: 'From which result on the exit code is 1',
  choices: ['fail', 'warn'],
  fallback: 'fail',
};

const liveSetup = async (surface: LiveSurface, leaves: boolean) => {
  const { LiveSetup } = await import('./setup/live-setup.js');
  return new LiveSetup(surface, { leaves });
};

const liveStatus = async (surface: LiveSurface) => {
  const { LiveStatus } = await import('./live-status.js');
  return new LiveStatus(surface);
};

const anyOther: View = { options: [], lines: dataLines, exitCode: () => 0 };

const views: Readonly<Record<string, View>> = {
  'preflight-check': {
    examples: ['argus check --only disk.space --format json'],
    options: [failOn],
    formats: checkFormats,
    lines: (data, scene) => healthReportLines(data as HealthReport & { recovery?: RecoveryReport }, scene),
    exitCode: (data, own) => exitCodeOfCheck(data as HealthReport, own.failOn as FailOn | undefined),
    exitCodes:
      '1 when a check failed, with --fail-on warn also when one warns; 3 when none failed and something could not be looked at. With --format nagios they are those of Nagios: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN, also for wrong usage',
  },
  fix: {
    examples: ['argus fix --plan'],
    options: [],
    refuses: ({ plan, dryRun, apply }) =>
      (plan === true || dryRun === true) && apply !== undefined
        ? '--plan only shows a plan and --apply carries one out; use --plan to see it, or --apply HASH to do exactly that'
        : undefined,
    lines: (data, scene) => fixLines(data as Fix, scene),
    exitCode: (data) => exitCodeOfFix(data as Fix),
    exitCodes:
      'that of a check made afterwards; 1 when a step failed, was refused, or did not help, and where nobody could be asked. With --plan 0',
  },
  'plan-recovery': {
    examples: ['argus plan-recovery --only disk'],
    options: [],
    lines: (data, scene) => recoveryPlanLines(data as RecoveryPlan, scene),
    exitCode: (data) => ((data as RecoveryPlan).notices.length > 0 ? 1 : 0),
    exitCodes: '1 when a recoverer could not make its plan',
  },
  'apply-recovery': {
    examples: ['argus apply-recovery HASH --dry-run'],
    options: [],
    lines: (data, scene) => recoveryReportLines(data as RecoveryReport, scene),
    exitCode: (data) => exitCodeOfRecovery(data as RecoveryReport),
    exitCodes: '1 when a step failed, was refused, or did not help',
  },
  setup: {
    examples: ['argus setup --no-build'],
    options: [],
    live: (surface) => liveSetup(surface, false),
    lines: (data, { kernel, columns }) => setupLines(data as ShownSetup, kernel, columns),
    // Whoever asks for a guardian and gets none should know.
    exitCode: (data) => ((data as ShownSetup).guardian?.guarding === false ? 1 : 0),
    exitCodes: '1 also when a guardian was asked for and there is none',
  },
  run: {
    examples: ['argus run smoke', 'argus run -- npm test'],
    options: [],
    placements: {
      suites: { at: 'arguments', shown: 'SUITE' },
      command: { at: 'after-dashes', shown: 'COMMAND' },
    },
    unsaid: ({ type }) => type === 'guard_state',
    leavesStdout: true,
    live: (surface) => liveSetup(surface, true),
    lines: (data, { columns, kernel }) => runLines(data as ShownRun, kernel, columns !== undefined),
    exitCode: (data) => exitCodeOfRun(data as ShownRun),
    exitCodes:
      'that of the first suite that failed; 124 when it took longer than its timeout, 127 when there is no such command, 128+n when signal n ended it; 1 when all passed and something could not be taken down',
  },
  guard: {
    examples: ['argus guard'],
    options: [],
    // What happened was told when it did.
    lines: () => [],
    exitCode: () => 0,
  },
  status: {
    examples: ['argus status --format json'],
    options: [],
    refuses: ({ watch }, format) =>
      watch === true && format === 'json'
        ? 'argus status --watch has no end that could be one document; use --format ndjson'
        : undefined,
    live: (surface, { watch }) => (watch === true ? liveStatus(surface) : undefined),
    livesOnStdout: true,
    told: (event) =>
      event.type === 'status_changed'
        ? [...statusLines(event.data as unknown as ShownStatus), []]
        : undefined,
    // What is watched was told when it changed.
    lines: (data, { columns, input }) =>
      input.watch === true && columns === undefined ? [] : statusLines(data as ShownStatus, columns),
    exitCode: (data) => exitCodeOfStatus(data as ShownStatus),
    exitCodes:
      '1 when something that should run does not or is unhealthy, 3 when that could not be told; nothing set up is 0',
  },
  incidents: {
    examples: ['argus incidents --service api --format json'],
    options: [],
    lines: (data) => incidentsLines(data as ShownIncidents),
    exitCode: () => 0,
  },
  clean: {
    examples: ['argus clean --dry-run'],
    options: [],
    unsaid: ({ type, data }) => type === 'cleanup_resource' && data.action === 'failed',
    lines: (data, { input }) =>
      cleanLines(data as ShownClean, `argus clean ${input.allRuns === true ? '--all-runs ' : ''}again`),
    exitCode: (data) => ((data as ShownClean).failed.length > 0 ? 1 : 0),
    exitCodes: '1 as long as something is left',
  },
  logs: {
    examples: ['argus logs --service api --tail 20', 'argus logs --follow --service api'],
    options: [],
    // They were shown as they came; see the pretty reporter.
    lines: () => [],
    exitCode: () => 0,
  },
  build: {
    examples: ['argus build'],
    options: [],
    live: (surface) => liveSetup(surface, false),
    lines: (data) => buildLines(data as ShownBuild),
    exitCode: () => 0,
  },
  'reset-circuit': {
    ...anyOther,
    examples: ['argus reset-circuit docker'],
    lines: (data, { input }) => circuitResetLines(data as ShownCircuitReset, input.dryRun === true),
  },
  'fault-list': {
    ...anyOther,
    examples: ['argus fault list'],
    lines: (data) => faultListLines(data as ShownFaults),
  },
  'fault-inject': {
    ...anyOther,
    examples: ['argus fault inject kill-service --service api'],
    lines: (data) => harmLines(data as ShownHarm),
  },
  'clean-foreign': {
    ...anyOther,
    lines: (data) => foreignLines(data as ShownForeign),
    examples: ['argus clean-foreign --names container:argus-shop-mhz4x-api --dry-run'],
    exitCode: (data) => {
      const { failed, refused } = data as Readonly<Record<'failed' | 'refused', readonly unknown[]>>;
      return failed.length + refused.length > 0 ? 1 : 0;
    },
    exitCodes: '1 when something was refused or could not be removed',
  },
  explain: {
    examples: ['argus explain PORT_CONFLICT'],
    options: [],
    placements: { name: { at: 'arguments', shown: 'NAME' } },
    names: { name: 'explained' },
    lines: (data, { kernel }) => explanationLines(data as Explanation, kernel),
    exitCode: () => 0,
  },
  plugins: {
    examples: ['argus plugins --format json'],
    options: [],
    lines: (data) => pluginListLines((data as { plugins: ListedPlugin[] }).plugins),
    exitCode: () => 0,
  },
  config: {
    examples: ['argus config --only services'],
    options: [],
    names: { only: 'sections' },
    lines: (data) => configurationLines(data as ShownConfig),
    exitCode: () => 0,
  },
  init: {
    examples: ['argus init --dry-run'],
    options: [],
    lines: (data, { kernel }) => initLines(data as ShownInit, kernel.project.dir),
    exitCode: () => 0,
  },
  schema: { examples: ['argus schema > argus.schema.json'], options: [], exitCode: () => 0 },
};

/** How an operation is shown; also one that a third party brought. */
export function viewOf(operation: string): View {
  return (Object.hasOwn(views, operation) ? views[operation] : undefined) ?? anyOther;
}
