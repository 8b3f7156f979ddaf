import { ArgusError, advise, confirmationRequired, type JsonObject } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { nextStep } from '../answer/next-step.js';
import { lookFirst } from './consent.js';
import type { Work } from './perform.js';

/** What is told where the person has said no to the same thing before, and nothing has changed since. */
const notAskedAgain =
  'They have said no to it before and were not asked again: ask them what they want instead';

/**
 * What is answered where nobody has agreed. The next call only looks: one with `confirm` in it would make an agent consent in
 * the place of the person.
 */
export function refusal(
  { tool, args, operation, project }: Work,
  input: Readonly<Record<string, unknown>>,
  why: 'missing' | 'declined' | 'not-asked',
): Answer & Required<Pick<Answer, 'error'>> {
  const declined = why !== 'missing';
  const dry = lookFirst(operation, input);
  const { error } = new ArgusError(confirmationRequired, {
    message: declined
      ? `The person has not agreed to ${tool}; nothing was touched`
      : `${tool} can do what cannot be taken back, so a person must agree: ${dry ? 'show them what it would do and ask' : 'ask them'}; ` +
        'only after their yes call it again with confirm: true',
    details: { operation: operation.name, declined },
  });
  if (declined) {
    const ended = { operation: operation.name, input: input as JsonObject };
    const next = nextStep(advise(project.kernel, error, { ended }));
    const answer = { ok: false, error, ...(next ? { next } : {}) };
    return why === 'declined' ? answer : { ...answer, human: notAskedAgain };
  }
  const { projectPath } = args;
  const given = project.kernel.redactor.text(JSON.stringify(args));
  const where = projectPath === undefined ? {} : { projectPath };
  const next = dry ? { next: { tool, arguments: { ...dry, ...where } } } : {};
  return {
    ok: false,
    error,
    ...next,
    human: `Do you agree to ${tool} ${given}? ${operation.summary}.`,
  };
}
