import { ArgusError, advise, confirmationRequired, type JsonObject, planStale } from '@argusai/core';
import type { Answer, NextStep } from '../answer/answer.js';
import { nextStep } from '../answer/next-step.js';
import { lookFirst, type Unagreed } from './consent.js';
import type { Work } from './perform.js';

/** What is told where the person has said no to the same thing before, and nothing has changed since. */
const notAskedAgain =
  'They have said no to it before and were not asked again: ask them what they want instead';

/**
 * What is answered where nobody has agreed. The next call only looks: one with `confirm` in it would make an agent consent in
 * the place of the person. What cannot be looked at first is named by a hash at once.
 */
export function refusal(
  { tool, args, operation, project }: Work,
  input: Readonly<Record<string, unknown>>,
  { why, hash }: { readonly why: Unagreed['why'] | 'not-asked'; readonly hash?: string | undefined },
): Answer & Required<Pick<Answer, 'error'>> {
  const { projectPath } = args;
  const dry = lookFirst(operation, input);
  const where = projectPath === undefined ? {} : { projectPath };
  const looking = dry ? { tool, arguments: { ...dry, ...where } } : undefined;
  if (why === 'stale') return stale(args, looking, hash);
  const declined = why !== 'missing';
  const named = hash === undefined ? {} : { hash };
  const { error } = new ArgusError(confirmationRequired, {
    message: declined
      ? `The person has not agreed to ${tool}; nothing was touched`
      : `${tool} can do what cannot be taken back, so a person must agree: ${dry ? 'show them what it would do and ask' : 'ask them'}; ` +
        `only after their yes call it again with confirm: true and the hash ${dry ? 'of what they were shown' : hash}`,
    details: { operation: operation.name, declined },
  });
  if (declined) {
    const ended = { operation: operation.name, input: input as JsonObject };
    const next = nextStep(advise(project.kernel, error, { ended }));
    const answer = { ok: false, error, ...(next ? { next } : {}) };
    return why === 'declined' ? answer : { ...answer, human: notAskedAgain };
  }
  const given = project.kernel.redactor.text(JSON.stringify(args));
  return {
    ok: false,
    error,
    ...named,
    ...(looking ? { next: looking } : {}),
    human: `Do you agree to ${tool} ${given}? ${operation.summary}.`,
  };
}

/** What was shown is not what there is now, so nobody has agreed to it. */
function stale(
  { hash: asked }: Work['args'],
  next: NextStep | undefined,
  hash: string | undefined,
): Answer & Required<Pick<Answer, 'error'>> {
  const { error } = new ArgusError(
    { ...planStale, suggestedActions: [] },
    {
      message: `The hash ${asked} names something else than what would be done now; nothing was touched`,
      details: { asked: String(asked) },
    },
  );
  return { ok: false, error, ...(next ? { next } : {}), ...(next || hash === undefined ? {} : { hash }) };
}
