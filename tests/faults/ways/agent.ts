import { expect } from 'vitest';
import { runArgus } from '../../support/run-command.js';
import type { Row } from '../report/row.js';
import type { Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { Trouble } from '../world/structured-errors.js';
import { makeWorld, type Place, type World } from '../world/world.js';
import { inTheEnd } from './in-the-end.js';
import { strike } from './strike.js';

type Command = readonly string[];
type Journey = Pick<Extract<Row, { way: 'agent' }>, 'verdict' | 'calls'>;

/** So many calls it has before it counts as lost. */
const budget = 8;

/** Lets an agent deal with it that knows nothing but the commands, and does what errors suggest. */
export async function byAgent(
  scenario: Scenario,
  goals: readonly Command[],
  place: Place,
  record: (row: Row) => void,
): Promise<void> {
  const world = await makeWorld(place);
  const { answers } = await strike({ ...scenario, commands: [] }, world);
  const journey = await follow(world, goals);
  const failure = await inTheEnd(scenario, world, answers());
  const verdict = scenario.recoverable ? 'healthy' : 'stopped';
  const right = failure === undefined && journey.verdict === verdict;
  record({ way: 'agent', scenario: scenario.name, right, ...journey });
  expect(journey).toMatchObject({ verdict });
  if (failure) throw failure.error;
}

/** Calls one goal after the other until each is fine; after a problem, what it suggests. Nothing is tried twice for a problem. */
async function follow(world: World, goals: readonly Command[]): Promise<Journey> {
  const calls: string[] = [];
  const tried = new Set<string>();
  const usages = await usagesOf(world);
  const call = (command: Command) => {
    calls.push(command.filter((word) => !/^[0-9a-f]{16,}$/.test(word)).join(' '));
    return world.argus(...command);
  };
  let reached = 0;
  let suggested: Command | undefined;
  while (reached < goals.length) {
    if (calls.length >= budget) return { verdict: 'lost', calls };
    const command: Command = suggested ?? goals[reached] ?? [];
    const answer = await call(command);
    const problems = problemsIn(answer);
    if (problems.length === 0) {
      if (command.join() === goals[reached]?.join()) reached += 1;
      suggested = planIn(answer);
      continue;
    }
    const step = problems.flatMap((problem) => stepsFor(problem, usages)).find(({ key }) => !tried.has(key));
    if (!step) return { verdict: 'stopped', calls };
    tried.add(step.key);
    suggested = step.command;
  }
  return { verdict: 'healthy', calls };
}

/** What stands in the way: the error, or what a check has found. */
function problemsIn({ ok, code, error, data }: Answer): Trouble[] {
  if (!ok) return error ? [error] : [];
  const found = (data?.checks ?? []).filter(({ status }) => status === 'fail' || status === 'warn');
  return code === 0 ? [] : found.flatMap((check) => (check.error ? [check.error] : []));
}

/** A plan is there to be carried out. */
function planIn({ args, data }: Answer): Command | undefined {
  return args[0] === 'plan-recovery' && data?.steps.length
    ? ['apply-recovery', data.hash, '--confirm']
    : undefined;
}

/** What an error suggests, as commands: an operation by its name, a recoverer by way of a plan. */
function stepsFor({ code, suggestedActions, details }: Trouble, usages: ReadonlyMap<string, string[]>) {
  return suggestedActions.map((action) => {
    const words = (usages.get(action) ?? []).map((word) => String(details[word.toLowerCase()]));
    const command = action.includes('.') ? ['plan-recovery'] : [action, ...words];
    return { key: `${code} ${command.join(' ')}`, command };
  });
}

/** What each command must be given, as the list of commands says. */
async function readUsages({ dir, state }: World): Promise<Map<string, string[]>> {
  const { stdout } = await runArgus(['--help'], { cwd: dir, state });
  const lines = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)((?: [A-Z]+)*) {2,}/gm)];
  return new Map(
    lines.map(([, name = '', words = '']) => [name, words.split(' ').filter((word) => word !== '')]),
  );
}

/** Read once: it is the same for everybody. */
let usages: Promise<Map<string, string[]>> | undefined;
function usagesOf(world: World): Promise<Map<string, string[]>> {
  usages ??= readUsages(world);
  return usages;
}
