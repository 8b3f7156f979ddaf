import type { CoreOperationName, ResultOf } from '@argusai/core';
import type { ForeignCleanup } from '@argusai/plugin-orphans';
import { checkFormats } from '../command-line/format.js';
import type { InputField } from '../command-line/input-fields.js';
import {
  exitCodeOfCheck,
  exitCodeOfClean,
  exitCodeOfRecovery,
  exitCodeOfRun,
  exitCodeOfStatus,
  type FailOn,
} from '../exit-code.js';
import { healthReportLines } from './health/health-report.js';
import type { LiveSurface } from './live/live-view.js';
import { exitCodeOfFix, fixLines } from './recovery/fix.js';
import { recoveryPlanLines } from './recovery/recovery-plan.js';
import { recoveryReportLines } from './recovery/recovery-report.js';
import { circuitResetLines } from './results/circuit-reset.js';
import { cleanLines } from './results/clean.js';
import { configurationLines } from './results/configuration.js';
import { explanationLines } from './results/explanation.js';
import { faultListLines, harmLines } from './results/faults.js';
import { foreignLines } from './results/foreign.js';
import { incidentsLines } from './results/incidents.js';
import { initLines } from './results/init.js';
import { logsEndLines } from './results/logs-end.js';
import { pluginListLines } from './results/plugin-list.js';
import { runLines, stoppedRunLines } from './results/run-report.js';
import { buildLines, setupLines } from './results/setup-result.js';
import { statusIn, statusLines } from './results/status.js';
import { dataLines } from './text/data.js';
import type { View } from './view.js';

const failOn: InputField = {
  key: 'failOn',
  option: 'fail-on',
  kind: 'text',
  many: false,
  required: false,
  description: 'From which result on the exit code is 1',
  choices: ['fail', 'warn'],
  fallback: 'fail',
};

const liveSetup = async (surface: LiveSurface, leaves: boolean) => {
  const { LiveSetup } = await import('./setup/live-setup.js');
  return new LiveSetup(surface, { leaves });
};

const liveStatus = async (surface: LiveSurface) => {
  const { LiveStatus } = await import('./live/live-status.js');
  return new LiveStatus(surface);
};

/** The operations of core, and the one of a plugin that has a view of its own. */
type Views = { readonly [Name in CoreOperationName]: View<ResultOf<Name>> } & {
  readonly 'clean-foreign': View<ForeignCleanup>;
};

const anyOther: View = {
  options: [],
  lines: (data) => (data === null ? [['done, with no result']] : dataLines(data)),
  exitCode: () => 0,
};

const views: Views = {
  'preflight-check': {
    examples: ['argus check --only disk.space --format json'],
    options: [failOn],
    formats: checkFormats,
    lines: (data, scene) => healthReportLines(data, scene),
    exitCode: (data, own) => exitCodeOfCheck(data, own.failOn as FailOn | undefined),
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
    lines: (data, scene) => fixLines(data, scene),
    // Whatever is shown, nothing was asked for that could have failed.
    exitCode: (data, _own, { plan, dryRun }) => (plan === true || dryRun === true ? 0 : exitCodeOfFix(data)),
    exitCodes:
      'that of a check made afterwards; 1 when a step failed, was refused, or did not help, and where nobody could be asked. With --plan 0',
  },
  'plan-recovery': {
    examples: ['argus plan-recovery --only disk'],
    options: [],
    lines: (data, scene) => recoveryPlanLines(data, scene),
    exitCode: (data) => (data.notices.length > 0 ? 1 : 0),
    exitCodes: '1 when a recoverer could not make its plan',
  },
  'apply-recovery': {
    examples: ['argus apply-recovery HASH --dry-run'],
    options: [],
    lines: (data, scene) => recoveryReportLines(data, scene),
    exitCode: (data) => exitCodeOfRecovery(data),
    exitCodes: '1 when a step failed, was refused, or did not help',
  },
  setup: {
    examples: ['argus setup --no-build'],
    options: [],
    live: (surface) => liveSetup(surface, false),
    lines: (data, { kernel, columns }) => setupLines(data, kernel, columns),
    // Whoever asks for a guardian and gets none should know.
    exitCode: (data) => (data.guardian?.guarding === false ? 1 : 0),
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
    lines: (data, { columns, kernel }) => runLines(data, kernel, columns !== undefined),
    doneBefore: (error, { columns }) => stoppedRunLines(error, columns !== undefined),
    exitCode: (data) => exitCodeOfRun(data),
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
    isEndless: ({ watch }) => watch === true,
    live: (surface, { watch }) => (watch === true ? liveStatus(surface) : undefined),
    livesOnStdout: true,
    told: (event) => {
      const status = statusIn(event);
      return status && [...statusLines(status), []];
    },
    // What is watched was told when it changed.
    lines: (data, { columns, input }) =>
      input.watch === true && columns === undefined ? [] : statusLines(data, columns),
    exitCode: (data) => exitCodeOfStatus(data),
    exitCodes:
      '1 when something that should run does not or is unhealthy, 3 when that could not be told; nothing set up is 0',
  },
  incidents: {
    examples: ['argus incidents --service api --format json'],
    options: [],
    lines: (data, { kernel }) => incidentsLines(data, kernel.project.dir),
    exitCode: () => 0,
  },
  clean: {
    examples: ['argus clean --dry-run'],
    options: [],
    unsaid: ({ type, data }) => type === 'cleanup_resource' && data.action === 'failed',
    lines: (data, { input, kernel }) =>
      cleanLines(data, `argus clean ${input.allRuns === true ? '--all-runs ' : ''}again`, kernel),
    exitCode: (data) => exitCodeOfClean(data),
    exitCodes:
      '1 as long as something is left, 3 when nobody could look, or another state folder has something here',
  },
  logs: {
    examples: ['argus logs --service api --tail 20', 'argus logs --follow --service api'],
    options: [],
    refuses: ({ follow }, format) =>
      follow === true && format === 'json'
        ? 'argus logs --follow has no end that could be one document; use --format ndjson'
        : undefined,
    isEndless: ({ follow }) => follow === true,
    // They were shown as they came; see the pretty reporter.
    lines: (data) => logsEndLines(data),
    exitCode: () => 0,
  },
  build: {
    examples: ['argus build'],
    options: [],
    live: (surface) => liveSetup(surface, false),
    lines: (data) => buildLines(data),
    exitCode: () => 0,
  },
  'reset-circuit': {
    ...anyOther,
    examples: ['argus reset-circuit docker'],
    lines: (data, { input }) => circuitResetLines(data, input.dryRun === true),
  },
  'fault-list': {
    ...anyOther,
    examples: ['argus fault list'],
    lines: (data) => faultListLines(data),
  },
  'fault-inject': {
    ...anyOther,
    examples: ['argus fault inject kill-service --service api'],
    lines: (data) => harmLines(data),
  },
  'clean-foreign': {
    ...anyOther,
    lines: (data) => foreignLines(data),
    examples: ['argus clean-foreign --names container:argus-shop-mhz4x-api --dry-run'],
    exitCode: ({ failed, refused }) => (failed.length + refused.length > 0 ? 1 : 0),
    exitCodes: '1 when something was refused or could not be removed',
  },
  explain: {
    examples: ['argus explain PORT_CONFLICT'],
    options: [],
    placements: { name: { at: 'arguments', shown: 'NAME' } },
    names: { name: 'explained' },
    lines: (data, { kernel }) => explanationLines(data, kernel),
    exitCode: () => 0,
  },
  plugins: {
    examples: ['argus plugins --format json'],
    options: [],
    lines: (data, { kernel }) => pluginListLines(data.plugins, kernel.plugins),
    exitCode: () => 0,
  },
  config: {
    examples: ['argus config --only services'],
    options: [],
    names: { only: 'sections' },
    lines: (data) => configurationLines(data),
    exitCode: () => 0,
  },
  init: {
    examples: ['argus init --dry-run'],
    options: [],
    lines: (data, { kernel }) => initLines(data, kernel.project.dir),
    exitCode: () => 0,
  },
  schema: { examples: ['argus schema > argus.schema.json'], options: [], exitCode: () => 0 },
};

/** How an operation is shown; also one that a third party brought. */
export function viewOf(operation: string): View {
  const known: Readonly<Record<string, View>> = views;
  return (Object.hasOwn(known, operation) ? known[operation] : undefined) ?? anyOther;
}
