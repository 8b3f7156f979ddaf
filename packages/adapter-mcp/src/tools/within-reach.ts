import type { Kernel } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { findOperation } from './find-operation.js';
import { toolName } from './tool-name.js';

/** The answer without a next call that a server which changes nothing does not offer: a person has to do that too, and then it can look. */
export function withinReach(answer: Answer, kernel: Pick<Kernel, 'operations'>, readOnly: boolean): Answer {
  const { next, ...rest } = answer;
  if (!next || !readOnly || findOperation(kernel, next.tool, readOnly)) return answer;
  const { human } = answer;
  const left = `${next.tool} would be next, but this server changes nothing (--read-only): leave it to the person`;
  return {
    ...rest,
    ...(next.person
      ? { next: { person: next.person, tool: toolName('preflight-check'), arguments: {} } }
      : {}),
    human: human === undefined ? left : `${human} ${left}`,
  };
}
