import type { RecoveryPlan, RecoveryReport } from '@argusai/core';
import { circuitOpen } from '@argusai/core';
import { type Checked, problemsOf } from './problems-of.js';

type Data = Readonly<Record<string, unknown>>;

/** How many things of a kind are told, and how long each may be; all of them are in the data. */
const toldItems = 5;
const toldLength = 240;

/** What came of a call, in one line; the data follows it. */
export function summaryOf(tool: string, data: unknown): string {
  const of = summaries[tool];
  const isObject = typeof data === 'object' && data !== null;
  return of && isObject ? of(data as Data) : `${tool}: done.`;
}

const summaries: Readonly<Record<string, (data: Data) => string>> = {
  argus_preflight_check: (data) => health(data as unknown as Checked),
  argus_plan_recovery: (data) => plan(data as unknown as RecoveryPlan),
  argus_apply_recovery: (data) => recovery(data as unknown as RecoveryReport),
  argus_fix: (data) => fixed(data as unknown as Fixed),
  argus_setup: ({ services, resumed }) =>
    `The environment is up: ${places(services)}.${count(resumed) === 0 ? '' : ` ${(resumed as string[]).join(', ')} was paused and goes on.`}`,
  argus_status: (data) => [...(data.call ? [callLine(data.call as Data)] : []), environment(data)].join(' '),
  argus_run: ({ outcome, exitCode }) => `The tests ${outcome} with exit code ${exitCode}.`,
  argus_logs: ({ lines }) => `Lines: ${count(lines)}.`,
  argus_incidents: ({ incidents }) => `Incidents: ${count(incidents)}.`,
  argus_clean: removal,
  argus_clean_foreign: (data) => {
    const refused = list(data.refused, ({ name, reason }) => `${name} (${reason})`);
    return refused === '' ? removal(data) : `${removal(data)} Refused: ${refused}.`;
  },
  argus_init: ({ written, file }) => clipped(`${written === true ? 'Wrote' : 'Would write'} ${file}`),
  argus_build: ({ images }) =>
    count(images) === 0
      ? 'There was no image to build.'
      : `Built: ${list(images, ({ service, image }) => `${service} ${image}`)}.`,
  argus_config: ({ file, config }) =>
    clipped(`${file === null ? 'There is no file, so these are defaults' : `Of ${file}`}: ${keys(config)}`),
  argus_schema: ({ properties }) => clipped(`Sections: ${keys(properties)}`),
  argus_explain: explanation,
  argus_reset_circuit: ({ message }) => clipped(String(message)),
};

/** What a thing is, in the words in which it is declared. */
function explanation({ kind, code, name, summary, description, remedy, codes }: Data): string {
  if (kind === 'codes') return `Codes: ${count(codes)}.`;
  if (kind !== 'code')
    return clipped(`${name}, ${kind}: ${description ?? summary ?? 'no more is said of it'}`);
  return clipped([`${code}: ${summary}.`, remedy].filter((one) => one !== undefined).join(' '));
}

/** How far a call is that was asked for. */
function callLine({ runId, tool, state, step, result }: Data): string {
  const { ok, error } = (result ?? {}) as { ok?: boolean; error?: Data };
  const more = state !== 'done' ? step : ok ? 'it went well' : `${error?.code}: ${error?.message}`;
  return `${tool} ${runId} is ${state}${more === undefined ? '' : clipped(`: ${more}`)}.`;
}

function environment({ run, services, unrecorded, unlooked }: Data): string {
  const unseen = list(unlooked, ({ runtime, reason }) => `${runtime}: ${reason}`);
  if (run === undefined) return 'What is up could not be told in time.';
  if (run !== null) return `${(run as Data).state}: ${states(services)}.`;
  const isKnown = unrecorded === undefined && unlooked === undefined;
  if (isKnown) return 'Nothing is up.';
  return `It is not known what is up${unseen === '' ? '' : `: ${unseen}`}.`;
}

function health({ overall, checks, environment: here }: Checked): string {
  const problems = problemsOf(checks);
  const told = some(
    problems,
    ({ name, target, status, message, error }) =>
      `${error?.code ?? status} (${target === undefined ? name : `${name} ${target}`}): ${message}`,
  );
  if (problems.length > 0) return `${overall}: ${told}.`;
  return here === 'nothing-runs' ? `${overall}: ready to set up, nothing runs.` : `${overall}.`;
}

function plan({ hash, steps, unhandled }: RecoveryPlan): string {
  const codes = [...new Set(unhandled.map(({ code }) => code))];
  const held = codes.includes(circuitOpen.code)
    ? ' A circuit holds calls back: bring back what is down, then reset it.'
    : '';
  const others = codes.filter((code) => code !== circuitOpen.code);
  const open =
    others.length === 0 ? held : `${held} No repair is known here for ${some(others, String, ', ')}.`;
  if (hash === null)
    return `${codes.length === 0 ? 'There is nothing to repair.' : 'Nothing can be repaired.'}${open}`;
  return `${steps.length} steps: ${some(steps, ({ action, target }) => `${action} ${target}`, ', ')}.${open}`;
}

function recovery({ steps, after }: RecoveryReport): string {
  const told = some(steps, ({ action, target, outcome, verdict, refusal }) =>
    [action, target, verdict ?? outcome, refusal ? `(${refusal.reason})` : ''].join(' ').trim(),
  );
  return `${told}. Now ${after.overall}.`;
}

interface Fixed {
  readonly plan: RecoveryPlan;
  readonly report: RecoveryReport | null;
  readonly stopped: string | null;
}

/** Why nothing was done although there is a plan, where that needs a word. */
const reasons: Readonly<Record<string, string>> = {
  declined: ': it was not agreed to',
  'nobody-to-ask': ': nobody could be asked',
};

function fixed({ plan: planned, report, stopped }: Fixed): string {
  if (report) return recovery(report);
  if (planned.hash === null) return plan(planned);
  return `Nothing was done${reasons[stopped ?? ''] ?? ''}. ${plan(planned)}`;
}

function removal({ dryRun, removed, failed }: Data): string {
  const all = Array.isArray(failed) ? (failed as readonly Data[]) : [];
  const unlooked = all.filter((one) => one.unlooked === true).length;
  const unknown = unlooked === 0 ? '' : ` ${unlooked} could not be looked at, and may be left.`;
  const left = all.length - unlooked;
  return `${dryRun ? 'Would remove' : 'Removed'} ${count(removed)}; ${left} could not be removed.${unknown}`;
}

function places(services: unknown): string {
  return list(services, ({ name, endpoints }) => [name, ...(endpoints as string[])].join(' '));
}

function states(services: unknown): string {
  return list(services, ({ name, status, health }) => `${name} ${status}, ${health}`);
}

function list(items: unknown, show: (item: Data) => string): string {
  return Array.isArray(items) ? some(items as Data[], show) : '';
}

/** The first of them, and how many more there are. */
function some<Item>(items: readonly Item[], show: (item: Item) => string, between = '; '): string {
  const rest = items.length - toldItems;
  const told = items.slice(0, toldItems).map((item) => clipped(show(item)));
  return [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join(between);
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= toldLength ? line : `${line.slice(0, toldLength)}…`;
}

function keys(parts: unknown): string {
  return Object.keys((parts ?? {}) as Data).join(', ');
}

function count(items: unknown): number {
  return Array.isArray(items) ? items.length : 0;
}
