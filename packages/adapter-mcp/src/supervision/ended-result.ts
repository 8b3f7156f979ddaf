import { ArgusError, blockedError, internalError } from '@argusai/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/answer.js';
import { toResult } from '../answer/to-result.js';
import { toolName } from '../tools/tool-name.js';
import type { Ended } from './ended.js';

/** What is told to whoever has called a tool of a process that has come to its end meanwhile. */
export function endedResult(tool: string, ended: Ended): CallToolResult {
  return toResult(tool, endedAnswer(tool, ended));
}

/** The same before it is written. What it may have left half done is said, and how to see it. */
export function endedAnswer(tool: string, ended: Ended): Answer {
  const { standstill, changing, underWay } = ended;
  const isHalfDone = changing.includes(tool);
  const left = [
    ...(isHalfDone ? [`what ${tool} had begun was not taken back`] : []),
    ...(underWay.guarded.length > 0
      ? [`nobody guards ${underWay.guarded.join(', ')} any more; ${toolName('setup')} there guards it again`]
      : []),
  ];
  const { error } = errorOf(ended, left);
  const checks = standstill?.checks ?? [];
  const looking = { tool: toolName('status'), arguments: {} };
  const without = { tool: toolName('preflight-check'), arguments: { skip: checks } };
  const call = isHalfDone ? looking : checks.length > 0 ? without : { tool, arguments: {} };
  return { ok: false, error, next: { person: { what: remedyFor(ended) }, ...call } };
}

function errorOf({ standstill, code, signal, notStarted }: Ended, left: readonly string[]): ArgusError {
  const next = 'the next call has a new one';
  if (standstill) {
    const done = ['', `the process that worked was ended, and ${next}`, ...left].join('; ');
    return blockedError(standstill, standstill.forMs, done);
  }
  if (notStarted !== undefined) {
    const message = `The process that works could not be started: ${notStarted}`;
    return new ArgusError(internalError, { message: [message, ...left].join('; ') });
  }
  const how = code === null ? `by ${signal}` : `with exit code ${code}`;
  const what = `The process that worked was ended ${how} by code that it has loaded, such as a plugin`;
  return new ArgusError(internalError, { message: [what, next, ...left].join('; ') });
}

function remedyFor({ standstill, notStarted }: Ended): string {
  if (notStarted !== undefined) return 'Give back what the machine is out of, such as open files or memory';
  const what = standstill?.where ?? standstill?.plugin ?? 'the plugin';
  return standstill
    ? `Mend what blocks at ${what}: code that waits must give way, with await and an end in time. Or take it out of the configuration`
    : 'Take process.exit out of the plugin; argus plugins lists what is loaded';
}
