import type { Called, TestClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { editAt } from '../../packages/core/src/config/fixtures/edit-at.js';
import type { ConfigPlace } from '../../packages/core/src/model/config-place.js';

/** What the person wants, asked at the place that an answer names; a place outside of files they see to themselves. */
export type Person = (where: ConfigPlace) => unknown;

/** What a model did, call by call, and what it was told. */
export interface Journey {
  readonly calls: readonly string[];
  readonly answers: readonly Called[];
  readonly isUp: boolean;
}

/**
 * A model without any knowledge of argus that is told to bring an environment up: it does what `next` says and nothing else, and has
 * the person do what only they can, at exactly the place that is named. It ends where nothing is next.
 */
export async function bringUp(client: TestClient, person: Person, limit: number): Promise<Journey> {
  const calls: string[] = [];
  const answers: Called[] = [];
  let step: Called['next'] = { tool: 'argus_setup', arguments: {} };
  while (step && calls.length < limit) {
    const answer = await client.call(step.tool, step.arguments);
    calls.push(`${step.tool} ${JSON.stringify(step.arguments)}: ${answer.text.split('\n')[0]}`);
    answers.push(answer);
    if (step.tool === 'argus_setup' && answer.ok) return { calls, answers, isUp: true };
    const { next } = answer;
    if (next?.person?.where) await act(next.person.where, person);
    step = next;
  }
  return { calls, answers, isUp: false };
}

async function act(where: ConfigPlace, person: Person): Promise<void> {
  const wish = where.to ?? (where.rename === undefined ? await person(where) : undefined);
  if (where.file !== undefined) await editAt(where, wish);
}
