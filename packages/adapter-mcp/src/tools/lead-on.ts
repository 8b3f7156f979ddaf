import type { Answer } from '../answer/answer.js';
import type { Request } from './request.js';
import { cancelTool, moreTool, toolName } from './tool-name.js';

/** The tools that work on no project. */
const ofCalls = [cancelTool, moreTool];

/** The tools that look at what they were narrowed to, and those that go on with what was found there. */
const looking = ['preflight-check', 'plan-recovery', 'apply-recovery'].map(toolName);
const repairing = ['plan-recovery', 'apply-recovery'].map(toolName);

/**
 * The answer with a next call about the same things: in the project that the call was about, because without its folder the next
 * one would work on the server's own, and narrowed as the call was, because with more in it a plan is another one.
 */
export function leadOn(answer: Answer, { tool, args }: Pick<Request, 'tool' | 'args'>): Answer {
  const { next } = answer;
  if (!next || ofCalls.includes(next.tool)) return answer;
  const { projectPath } = args;
  const where = typeof projectPath === 'string' ? { projectPath } : {};
  const isNarrowed = looking.includes(tool) && repairing.includes(next.tool);
  const narrowed = Object.fromEntries(
    ['only', 'skip'].filter((key) => isNarrowed && args[key] !== undefined).map((key) => [key, args[key]]),
  );
  return { ...answer, next: { ...next, arguments: { ...narrowed, ...next.arguments, ...where } } };
}
