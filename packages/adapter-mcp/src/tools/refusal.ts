import { ArgusError, confirmationRequired } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { nextAfterError } from '../answer/next-call.js';
import { lookFirst } from './consent.js';
import type { Work } from './perform.js';
import { toolName } from './tool-name.js';

/**
 * What is answered where nobody has agreed. The next call only looks: one with `confirm` in it would make an agent consent in
 * the place of the person.
 */
export function refusal(
  { tool, args, operation, project }: Work,
  input: Readonly<Record<string, unknown>>,
  declined: boolean,
): Answer {
  const dry = lookFirst(operation, input);
  const { error } = new ArgusError(confirmationRequired, {
    message: declined
      ? `The person has not agreed to ${tool}; nothing was touched`
      : `${tool} can do what cannot be taken back, so a person must agree: ${dry ? 'show them what it would do and ask' : 'ask them'}; ` +
        'only after their yes call it again with confirm: true',
    details: { operation: operation.name, declined },
  });
  if (declined) return { ok: false, error, next: nextAfterError(project.kernel, error) };
  const { projectPath } = args;
  const given = project.kernel.redactor.text(JSON.stringify(args));
  const where = projectPath === undefined ? {} : { projectPath };
  const next = dry
    ? { tool, arguments: { ...dry, ...where } }
    : { tool: toolName('explain'), arguments: { name: error.code } };
  return {
    ok: false,
    error,
    next,
    human: `Do you agree to ${tool} ${given}? ${operation.summary}.`,
  };
}
