import { type Json, toJson } from '../model/json.js';
import { lengthOfList } from '../model/length-of-list.js';
import { notJson } from '../model/not-json.js';
import type { RecoveryStep } from '../model/recoverer.js';
import { toStructuredError } from '../model/to-structured-error.js';

/** What is wrong with a plan, going on from "it plans". */
class PlanFlaw extends Error {}

/**
 * Reads what the plan of a recoverer gave, once, so that what is hashed, shown and applied is the same. Of a plan that cannot be used
 * it says why, going on from "it plans".
 */
export function readPlan(returned: unknown): RecoveryStep[] | { readonly flaw: string } {
  try {
    return stepsIn(returned);
  } catch (thrown) {
    if (thrown instanceof PlanFlaw) return { flaw: thrown.message };
    return { flaw: `what cannot be read: ${toStructuredError(thrown).message}` };
  }
}

function stepsIn(returned: unknown): RecoveryStep[] {
  if (!Array.isArray(returned)) throw new PlanFlaw('no list of steps');
  const length = lengthOfList(returned);
  const steps = Array.from({ length }, (_, index) => readStep(returned[index]));
  const targets = new Set<string>();
  for (const { target } of steps) {
    if (targets.has(target))
      throw new PlanFlaw(`two steps for ${target}, so what became of each cannot be told`);
    targets.add(target);
  }
  return steps;
}

/** Only what a step has: who carries it out, and what it can cost, is not for the step to say. */
function readStep(planned: unknown): RecoveryStep {
  if (typeof planned !== 'object' || planned === null)
    throw new PlanFlaw(`something that is no step: ${JSON.stringify(toJson(planned))}`);
  const given = planned as Record<keyof RecoveryStep, unknown>;
  const target = text(given.target, 'a step whose target');
  const name = `a step for ${target} whose`;
  const action = text(given.action, `${name} action`);
  const description = text(given.description, `${name} description`);
  const { reversible, service, resolves, data } = given;
  if (typeof reversible !== 'boolean')
    throw new PlanFlaw(`${name} reversible is ${kindOf(reversible)}, not true or false`);
  return {
    target,
    ...(service === undefined ? {} : { service: text(service, `${name} service`) }),
    action,
    description,
    reversible,
    ...(resolves === undefined ? {} : { resolves: texts(resolves, `${name} resolves`) }),
    ...(data === undefined ? {} : { data: jsonObject(data, target) }),
  };
}

function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new PlanFlaw(`${what} is ${kindOf(value)}, not a text`);
}

function texts(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) throw new PlanFlaw(`${what} is ${kindOf(value)}, not a list`);
  return Array.from({ length: lengthOfList(value) }, (_, index) => text(value[index], `${what}.${index}`));
}

function jsonObject(value: unknown, target: string): NonNullable<RecoveryStep['data']> {
  const flaw = notJson(value, `the step for ${target}.data`);
  if (flaw !== undefined) throw new PlanFlaw(`what JSON cannot say: ${flaw}`);
  const json: Json = toJson(value);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new PlanFlaw(`a step for ${target} whose data is ${kindOf(json)}, not an object`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
