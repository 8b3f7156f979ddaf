import type { ConfigProblem } from '../config/problem.js';
import type { Kernel } from '../kernel/kernel.js';
import { type ConfigPlace, placeIn } from '../model/config-place.js';
import { cancelled, circuitOpen, configInvalid, usageInvalid } from '../model/core-error-codes.js';
import type { StructuredError } from '../model/error-code.js';
import type { JsonObject } from '../model/json.js';
import type { Recoverer } from '../model/recoverer.js';
import { remedyOf } from '../model/remedy-of.js';
import { inputsOf } from './required-inputs.js';

/** What is looked at of a problem. */
type Problem = Pick<StructuredError, 'code' | 'suggestedActions' | 'details'>;

/** An operation to call, with what it is to be given. */
export interface AdvisedCall {
  readonly operation: string;
  readonly input: JsonObject;
}

/** What only a person can do: in a sentence, and where in the configuration that is. */
export interface PersonStep {
  readonly what: string;
  readonly where?: ConfigPlace;
}

/** What to do about a problem: the calls that heal it, best first; after a person has acted where one must. */
export interface Advice {
  readonly person?: PersonStep;
  readonly calls: readonly AdvisedCall[];
}

/** How a problem came up. */
export interface AdviceScene {
  /** The operation that it ended, and what that was given. */
  readonly ended?: AdvisedCall | undefined;
  /** The check that found it. */
  readonly check?: string | undefined;
}

/** What advice needs to know; without a project that can be opened there is less. */
export type Adviser = Partial<Pick<Kernel, 'config' | 'operations' | 'recoverers'>> & {
  readonly errorCodes: Pick<Kernel['errorCodes'], 'get'>;
};

/** What failed for good, or has been tried often enough, ends in the same way. */
const sameAgain: Readonly<Record<string, string>> = {
  BUILD_FAILED: 'build',
  RECOVERY_FAILED: 'plan-recovery',
  CONTAINER_RESTART_EXHAUSTED: 'setup',
};

/** What brings services up, and so does the work of `setup`. */
const starting = ['setup', 'run', 'build'];

/** What makes and carries out plans: done once more it does the same. */
const repairing = ['plan-recovery', 'apply-recovery', 'fix'];

/** Decides what to do about a problem: everywhere the same, however it is shown. */
export function advise(kernel: Adviser, problem: Problem, scene: AdviceScene = {}): Advice {
  const { code } = problem;
  const where = placeOf(problem);
  const healing = healingCalls(kernel, problem, scene);
  if (healing.length > 0 && !where) return { calls: healing };
  const afterwards = afterPerson(kernel, problem, scene);
  // Whoever calls mends a wrong request, and wants what was cancelled again or not.
  const isOfCaller = code === cancelled.code || (code === usageInvalid.code && !where);
  if (isOfCaller) return { calls: healing.length > 0 ? healing : callsFor(kernel, problem, scene) };
  const what = whatToDo(kernel, problem);
  return { person: { what, ...(where ? { where } : {}) }, calls: afterwards };
}

/** Whether nothing new follows from a call: it shows how things are, or lets others find that out. A plan is the first half of a repair. */
function onlyLooks({ operations }: Adviser, { operation: name, input }: AdvisedCall): boolean {
  const operation = operations?.get(name);
  if (!operation || repairing.includes(name)) return false;
  return name === 'reset-circuit' || { ...operation.effects, ...operation.effectsOf?.(input) }.readOnly;
}

/** What a person should do, in a sentence: of a configuration what is wrong with it, else the remedy of the code. */
function whatToDo({ errorCodes }: Adviser, problem: Problem): string {
  const code = errorCodes.get(problem.code);
  const [first, ...others] = problemsIn(problem);
  if (!first)
    return (
      remedyOfLast(errorCodes, problem) ??
      remedyOf(code, problem.details) ??
      'Correct what the message names.'
    );
  const more = others.length === 0 ? '' : `, and ${others.length} more that the details list`;
  return `Correct the configuration: ${first.message}${more}`;
}

/** What helps against the last fault behind an open circuit, where that is known; to reset it is the call that follows. */
function remedyOfLast(errorCodes: Adviser['errorCodes'], { code, details }: Problem): string | undefined {
  if (code !== circuitOpen.code || typeof details.lastCode !== 'string') return undefined;
  return remedyOf(errorCodes.get(details.lastCode), { reason: details.lastReason ?? null });
}

/** Where in the configuration the cause is. */
function placeOf(problem: Problem): ConfigPlace | undefined {
  const [first] = problemsIn(problem);
  if (!first) return placeIn(problem.details);
  const { file } = problem.details;
  const { path: key, line, value, suggestion } = first;
  return {
    key,
    ...(typeof file === 'string' ? { file, from: 'file' as const } : {}),
    ...(line === undefined ? {} : { line }),
    ...(value === undefined ? {} : { value }),
    // What is suggested for a value that is there is another value, else it is the key that was meant.
    ...(suggestion === undefined ? {} : value === undefined ? { rename: suggestion } : { to: suggestion }),
  };
}

/** What is wrong with a configuration, where that is the problem. */
function problemsIn({ code, details }: Problem): readonly ConfigProblem[] {
  const isConfig = code === configInvalid.code && Array.isArray(details.problems);
  return isConfig ? (details.problems as unknown as ConfigProblem[]) : [];
}

/** The calls that help before a person has done anything. */
function healingCalls(kernel: Adviser, problem: Problem, scene: AdviceScene): AdvisedCall[] {
  const ended = scene.ended?.operation;
  const isSameAgain = (operation: string) =>
    operation === ended ||
    operation === sameAgain[problem.code] ||
    (operation === 'setup' && starting.includes(ended ?? ''));
  return callsFor(kernel, problem, scene).filter(
    (call) => !onlyLooks(kernel, call) && !isSameAgain(call.operation),
  );
}

/** What to call once a person has acted: what lets through again what was held back, else what failed. */
function afterPerson(kernel: Adviser, problem: Problem, scene: AdviceScene): AdvisedCall[] {
  const suggested = callsFor(kernel, problem, scene);
  const { ended } = scene;
  const lifted = suggested.find(({ operation }) => operation === 'reset-circuit');
  if (lifted) return [lifted];
  if (ended && !repairing.includes(ended.operation)) return [ended];
  const again = suggested.find((call) => !onlyLooks(kernel, call));
  return [again ?? { operation: bringsUp(kernel) ? 'setup' : 'preflight-check', input: {} }];
}

/** Whether the project has anything to bring up. */
function bringsUp({ config, operations }: Adviser): boolean {
  const { services = {}, mocks = {} } = config ?? {};
  const isAny = Object.keys(services).length + Object.keys(mocks).length > 0;
  return isAny && operations?.has('setup') === true;
}

/** The suggested actions as calls. What a recoverer does is planned first, and it plans only for what it handles. */
function callsFor(
  { operations, recoverers }: Adviser,
  { code, suggestedActions, details }: Problem,
  { check }: AdviceScene,
): AdvisedCall[] {
  const plan = { operation: 'plan-recovery', input: check === undefined ? {} : { only: [check] } };
  const handles = (action: string | undefined) => (recoverer: Recoverer) =>
    recoverer.handles.some((one) => one.code === code) && (action ?? recoverer.name) === recoverer.name;
  const known = recoverers?.values() ?? [];
  // Where nothing is suggested, a plan may know more.
  if (suggestedActions.length === 0) return known.some(handles(undefined)) ? [plan] : [];
  return suggestedActions.flatMap((action): AdvisedCall[] => {
    const operation = operations?.get(action);
    if (!operation) return known.some(handles(action)) ? [plan] : [];
    const { required, all } = inputsOf(operation);
    // A problem that names a run, a circuit or a service is of that one and not of the one that is meant without it.
    const told = all.filter((key) => required.includes(key) || ['run', 'circuit', 'service'].includes(key));
    const input = Object.fromEntries(
      told.flatMap((key) => {
        const value = details[key];
        return typeof value === 'string' || typeof value === 'number' ? [[key, value]] : [];
      }),
    );
    return required.every((key) => key in input) ? [{ operation: action, input }] : [];
  });
}
