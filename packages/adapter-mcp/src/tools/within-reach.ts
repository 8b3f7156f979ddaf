import type { Kernel } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { findOperation } from './find-operation.js';
import { toolName } from './tool-name.js';

/** The answer without a next call that a server which changes nothing does not offer: there a person has to go on. */
export function withinReach(answer: Answer, kernel: Pick<Kernel, 'operations'>, readOnly: boolean): Answer {
  const { next, ...rest } = answer;
  if (!next || !readOnly || findOperation(kernel, next.tool, readOnly)) return answer;
  const { error, human } = answer;
  const left = `${next.tool} would be next, but this server changes nothing (--read-only): leave it to the person`;
  return {
    ...rest,
    ...(error ? { next: { tool: toolName('explain'), arguments: { name: error.code } } } : {}),
    human: human === undefined ? left : `${human} ${left}`,
  };
}
