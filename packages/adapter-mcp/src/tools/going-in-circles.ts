import type { Kernel, OpenProject } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import type { Worlds } from '../session/failures.js';
import type { Session } from '../session/session.js';
import { worldOf } from '../session/world-of.js';
import type { Request } from './request.js';

type Named = Pick<Request, 'tool' | 'args'>;

/** What names a call: the tool and everything that it was given. */
export function keyOf({ tool, args }: Named): string {
  return JSON.stringify([tool, Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}

/** What the environment looks like to a call that is about none. */
const nowhere: Worlds = { before: '', after: '' };

/** Notes how a call ended that is about no environment, and gives its answer. */
export function noted(session: Session, request: Named, answer: Answer): Answer {
  if (!answer.ok) return escalated(session, request, answer, nowhere);
  session.failures.succeeded(keyOf(request), false);
  return answer;
}

/** Notes a call that failed, and gives its answer: with a word for the person where it only goes round in circles. */
export function escalated(session: Session, request: Named, answer: Answer, worlds: Worlds): Answer {
  const { error, human } = answer;
  if (!error || !session.failures.failed(keyOf(request), error, worlds)) return answer;
  const line = humanLine(request.tool, error.message);
  return { ...answer, escalate: true, human: human === undefined ? line : `${line}. ${human}` };
}

/** What an agent that goes round in circles is to tell the person. */
function humanLine(tool: string, message: string): string {
  return `Stop and tell the person: ${tool} keeps failing in the same way, and nothing that argus can see has changed: ${message}`;
}

/** What the environment looks like before a call that has failed before: only then does it matter what has changed since. */
export async function lookAfterFailure(
  { failures }: Session,
  request: Named & { readonly project: OpenProject },
): Promise<string> {
  return failures.hasFailed(keyOf(request)) ? look(request.project.kernel) : '';
}

/** What the environment looks like. A store that does not answer tells nothing of it; then the error alone has to do. */
export function look(kernel: Kernel): Promise<string> {
  return worldOf(kernel).catch(() => '');
}
