import type { HealthReport, RecoveryPlan, RecoveryReport } from '@argusai/core';

type Data = Readonly<Record<string, unknown>>;

/** What came of a call, in one line; the data follows it. */
export function summaryOf(tool: string, data: unknown): string {
  const of = summaries[tool];
  const isObject = typeof data === 'object' && data !== null;
  return of && isObject ? of(data as Data) : `${tool}: done.`;
}

const summaries: Readonly<Record<string, (data: Data) => string>> = {
  argus_preflight_check: (data) => health(data as unknown as HealthReport),
  argus_plan_recovery: (data) => plan(data as unknown as RecoveryPlan),
  argus_apply_recovery: (data) => recovery(data as unknown as RecoveryReport),
  argus_setup: ({ services }) => `The environment is up: ${places(services)}.`,
  argus_status: ({ run, services }) =>
    run === null ? 'Nothing is up.' : `${(run as Data).state}: ${states(services)}.`,
  argus_run: ({ outcome, exitCode }) => `The tests ${outcome} with exit code ${exitCode}.`,
  argus_clean: ({ dryRun, removed, failed }) =>
    `${dryRun ? 'Would remove' : 'Removed'} ${count(removed)}; ${count(failed)} could not be removed.`,
  argus_reset_circuit: ({ message }) => String(message),
};

function health({ overall, checks }: HealthReport): string {
  const problems = checks.filter(({ status }) => status !== 'pass' && status !== 'skipped');
  const told = problems.map(
    ({ name, target, status, message, error }) =>
      `${error?.code ?? status} (${target === undefined ? name : `${name} ${target}`}): ${message}`,
  );
  return told.length === 0 ? `${overall}.` : `${overall}: ${told.join('; ')}.`;
}

function plan({ hash, steps, unhandled }: RecoveryPlan): string {
  const open =
    unhandled.length === 0
      ? ''
      : ` Nothing can be done here about ${unhandled.map(({ code }) => code).join(', ')}.`;
  if (hash === null) return `There is nothing to repair.${open}`;
  return `${steps.length} steps: ${steps.map(({ action, target }) => `${action} ${target}`).join(', ')}.${open}`;
}

function recovery({ steps, after }: RecoveryReport): string {
  const told = steps.map(({ action, target, outcome, verdict, refusal }) =>
    [action, target, verdict ?? outcome, refusal ? `(${refusal.reason})` : ''].join(' ').trim(),
  );
  return `${told.join('; ')}. Now ${after.overall}.`;
}

function places(services: unknown): string {
  return list(services, ({ name, endpoints }) => [name, ...(endpoints as string[])].join(' '));
}

function states(services: unknown): string {
  return list(services, ({ name, status, health }) => `${name} ${status}, ${health}`);
}

function list(items: unknown, show: (item: Data) => string): string {
  return Array.isArray(items) ? items.map(show).join('; ') : '';
}

function count(items: unknown): number {
  return Array.isArray(items) ? items.length : 0;
}
