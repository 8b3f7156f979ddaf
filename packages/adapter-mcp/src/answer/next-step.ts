import {
  type Advice,
  type AdviceScene,
  type AdvisedCall,
  advise,
  type Kernel,
  type Operation,
  type RecoveryPlan,
  type RecoveryReport,
  type StructuredError,
  structuredError,
} from '@argusai/core';
import { toolName } from '../tools/tool-name.js';
import type { NextStep } from './answer.js';
import { correctedCall } from './corrected-call.js';
import { type Checked, problemsOf } from './problems-of.js';
import { isAllRefused } from './refused-steps.js';

type Data = Readonly<Record<string, unknown>>;

/** What to do after an operation has failed. To do the same once more helps only where it is known what was meant. */
export function nextAfterFailed(
  kernel: Kernel,
  operation: Operation,
  input: Data,
  error: StructuredError,
): NextStep | undefined {
  const ended = { operation: operation.name, input: input as AdvisedCall['input'] };
  return correctedCall(operation, input, error) ?? nextStep(advise(kernel, error, { ended }));
}

/** Advice as the next step of an agent: one call, after what a person has to do where one must act. */
export function nextStep({ person, calls }: Advice): NextStep | undefined {
  const [first] = calls;
  if (!first) return undefined;
  const next = { tool: toolName(first.operation), arguments: first.input };
  return person ? { person, ...next } : next;
}

const call = (operation: string, given: AdvisedCall['input'] = {}): NextStep => ({
  tool: toolName(operation),
  arguments: given,
});

/** What follows a call that went well, where something has to. */
export function nextAfter(kernel: Kernel, operation: string, data: unknown): NextStep | undefined {
  const of = followers[operation];
  return typeof data === 'object' && data !== null ? of?.(data as Data, kernel) : undefined;
}

/** What follows where something could not be looked at: whatever kept it from that, and then the same once more. */
export function nextAfterUnlooked(
  kernel: Kernel,
  ended: AdvisedCall,
  data: unknown,
  notices: readonly StructuredError[] = [],
): NextStep | undefined {
  const { failed } = data as { failed?: unknown };
  const isUnlooked = Array.isArray(failed) && failed.some((one: Data) => one.unlooked === true);
  const [cause] = notices;
  return isUnlooked && cause ? afterFinding(kernel, cause, { ended }) : undefined;
}

const followers: Readonly<Record<string, (data: Data, kernel: Kernel) => NextStep | undefined>> = {
  'preflight-check': (data, kernel) => afterCheck(kernel, data as unknown as Checked),
  'plan-recovery': (data, kernel) => afterPlan(kernel, data as unknown as RecoveryPlan),
  'apply-recovery': (data, kernel) => afterRepair(kernel, data),
  fix: ({ plan, report }, kernel) =>
    report ? afterRepair(kernel, report as Data) : afterPlan(kernel, plan as RecoveryPlan, 'fix'),
  'reset-circuit': ({ changed, previous }, kernel) =>
    changed === true || previous === 'half-open'
      ? call(bringsUp(kernel) ? 'setup' : 'preflight-check')
      : undefined,
  status: afterStatus,
  init: ({ written }) => (written === true ? call('preflight-check') : undefined),
  run: ({ incidents }) => (Array.isArray(incidents) && incidents.length > 0 ? call('incidents') : undefined),
};

/** What brings up what is not, or not well; what else keeps it from that, this tells. Where a record is missing, a person has to look first. */
function afterStatus(
  { run, services, lost, unrecorded, foreign }: Data,
  kernel: Kernel,
): NextStep | undefined {
  if (
    run === undefined ||
    unrecorded !== undefined ||
    foreign !== undefined ||
    isSome((lost as Data)?.resources)
  )
    return undefined;
  const { state, alive } = (run ?? {}) as Data;
  if (run !== null && (state !== 'up' || !alive)) return undefined;
  const isDown = ({ status, health }: Data) =>
    status === 'missing' || status === 'unknown' || health === 'unhealthy' || health === 'unknown';
  return bringsUp(kernel) && (services as Data[]).some(isDown) ? call('setup') : undefined;
}

function isSome(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

/** What a plan has no step for, another plan has none for either. */
const planned = { operation: 'plan-recovery', input: {} };

function afterPlan(kernel: Kernel, plan: RecoveryPlan, by = 'plan-recovery'): NextStep | undefined {
  if (plan.hash !== null) return by === 'fix' ? undefined : call('apply-recovery', { hash: plan.hash });
  const [first] = plan.unhandled;
  const code = first && kernel.errorCodes.get(first.code);
  if (!code) return undefined;
  const [circuit, ...others] = kernel.circuits.all();
  const { reason, where } = first;
  // The message that tells what follows from the value is not told with a plan.
  const place = where && Object.fromEntries(Object.entries(where).filter(([key]) => key !== 'effect'));
  const details = {
    ...(circuit && others.length === 0 ? { circuit: circuit.name } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(place ? { where: place } : {}),
  };
  const problem = structuredError<string, typeof details>(code, { message: code.summary, details }, 0);
  return afterFinding(kernel, problem, { ended: planned });
}

/** What a repair has left; it has looked again itself. Where every step was refused it would only lead to the same plan again. */
function afterRepair(kernel: Kernel, data: Data): NextStep | undefined {
  if (data.dryRun === true || isAllRefused('apply-recovery', data)) return undefined;
  const { after } = data as unknown as RecoveryReport;
  const healthy = after.overall === 'healthy' && bringsUp(kernel) ? call('setup') : undefined;
  return afterCheck(kernel, after, { ended: planned }) ?? healthy;
}

/** What to do about what was found: what heals it, unless a failure needs a person before anything helps. */
function afterCheck(kernel: Kernel, report: Checked, scene: AdviceScene = {}): NextStep | undefined {
  const found = problemsOf(report.checks).flatMap(({ status, error }) =>
    error ? [{ status, next: afterFinding(kernel, error, scene) }] : [],
  );
  const [first] = found;
  if (!first) return report.environment === 'nothing-runs' ? call('setup') : undefined;
  const healing = found.filter(({ next }) => next && !next.person);
  const failed = found.find(({ status, next }) => status === 'fail' && next?.person);
  return (failed ?? healing[0] ?? first).next;
}

function afterFinding(kernel: Kernel, error: StructuredError, scene: AdviceScene): NextStep | undefined {
  return nextStep(advise(kernel, error, scene));
}

function bringsUp({ config }: Pick<Kernel, 'config'>): boolean {
  return Object.keys({ ...config.services, ...config.mocks }).length > 0;
}
