import { ArgusError, internalError, pluginBlocked } from '@argusai/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/answer.js';
import { toResult } from '../answer/to-result.js';
import { toolName } from '../tools/tool-name.js';
import type { Blamed, Ended } from './ended.js';

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
  const message = [whatHappened(ended), ...left].join('; ');
  const checks = [...(standstill?.checks ?? [])];
  const { error } = standstill
    ? new ArgusError(pluginBlocked, {
        message,
        details: { plugin: standstill.plugin ?? null, checks, where: standstill.where ?? null },
      })
    : new ArgusError(internalError, { message });
  const looking = { tool: toolName('status'), arguments: {} };
  const without = { tool: toolName('preflight-check'), arguments: { skip: checks } };
  const next = isHalfDone ? { next: looking } : checks.length > 0 ? { next: without } : {};
  return { ok: false, error, ...next, remedy: remedyFor(standstill) };
}

function whatHappened({ standstill, code, signal }: Ended): string {
  const end = 'the process that worked was ended, and the next call has a new one';
  if (standstill)
    return `${blamedIn(standstill)} held everything up for ${standstill.forMs / 1_000} s; ${end}`;
  const how = code === null ? `by ${signal}` : `with exit code ${code}`;
  return `The process that worked was ended ${how} by code that it has loaded, such as a plugin; the next call has a new one`;
}

function blamedIn({ plugin, checks, where }: Blamed): string {
  const place = where === undefined ? '' : ` at ${where}`;
  const during = checks.length === 0 ? '' : ` in ${checks.join(' or ')}`;
  if (plugin !== undefined) return `The plugin ${plugin}${during}${place}`;
  return where === undefined ? `Something${during}` : `Code${place}`;
}

function remedyFor(standstill: Blamed | undefined): string {
  const what = standstill?.where ?? standstill?.plugin ?? 'the plugin';
  return standstill
    ? `Mend what blocks at ${what}: code that waits must give way, with await and an end in time. Or take it out of the configuration`
    : 'Take process.exit out of the plugin; argus plugins lists what is loaded';
}
