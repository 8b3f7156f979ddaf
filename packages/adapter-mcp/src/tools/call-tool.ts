import {
  ArgusError,
  adapterErrorCodes,
  advise,
  coreErrorCodes,
  type ErrorCode,
  type JsonObject,
  type OpenProject,
  openError,
  usageInvalid,
} from '@argusai/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/answer.js';
import { brief } from '../answer/brief.js';
import { nextStep } from '../answer/next-step.js';
import { fittingResult } from '../answer/to-result.js';
import { setApart } from '../answer/untrusted.js';
import { openFor, openNothing } from '../project/open-project.js';
import { Call } from '../session/call.js';
import type { Session } from '../session/session.js';
import { fileState } from '../session/world-of.js';
import { findOperation } from './find-operation.js';
import { escalated, noted } from './going-in-circles.js';
import { leadOn } from './lead-on.js';
import { learnTools } from './list-tools.js';
import { hiddenArgument } from './operation-input.js';
import { ownTool } from './own-tools.js';
import { perform } from './perform.js';
import { poll } from './poll.js';
import { isQuestion, type Question, type Request, UnknownTool } from './request.js';
import { moreTool, operationOf, toolName } from './tool-name.js';

/** Calls a tool. Whatever goes wrong is a result, except that there is no such tool. */
export async function callTool(session: Session, request: Request): Promise<CallToolResult | Question> {
  const { tool, args } = request;
  const call = new Call(tool);
  const answer = await session.during(call, async () => {
    const own = ownTool(session, tool, args) ?? (await poll(session, request));
    return own ? noted(session, request, own) : callOperation(session, call, request);
  });
  if (isQuestion(answer)) return answer;
  const told = setApart(leadOn(answer, request));
  return fitting(session, call, told, args.verbose === true);
}

/** Opens the project of the call and lets the operation do its work. */
async function callOperation(session: Session, call: Call, request: Request): Promise<Answer | Question> {
  const { tool, args } = request;
  const { readOnly } = session.surroundings;
  let project: OpenProject;
  try {
    project = await open(session, request);
  } catch (thrown) {
    return couldNotOpen(session, request, thrown);
  }
  session.code.opened(project.kernel);
  if (args.projectPath === undefined) learnTools(session, project.kernel);
  const operation = findOperation(project.kernel, tool, readOnly);
  const hidden = operation && hiddenArgument(operation, args, readOnly);
  if (operation && hidden === undefined) return perform(session, call, { ...request, project, operation });
  await project.close();
  if (!operation) throw new UnknownTool(`There is no tool ${tool}${whyNot(project, request, readOnly)}`);
  const message = `${tool} does not take ${hidden}${readOnly ? ' in a server that changes nothing' : ''}`;
  const { [hidden ?? '']: _, ...rest } = args;
  const { error } = new ArgusError(usageInvalid, { message, details: { argument: hidden ?? '' } });
  return noted(session, request, { ok: false, error, next: { tool, arguments: rest } });
}

/** Why a server does not offer what others do. */
function whyNot({ kernel }: OpenProject, { tool }: Request, readOnly: boolean): string {
  return readOnly && findOperation(kernel, tool, false)
    ? ' here: this server changes nothing (--read-only), so leave it to the person'
    : '';
}

/** The tools that help to mend a broken configuration, so they work with one as far as they can. */
const helpful = ['explain', 'schema'].map(toolName);

async function open({ surroundings }: Session, { tool, args }: Request): Promise<OpenProject> {
  const { projectPath } = args;
  if (projectPath !== undefined && typeof projectPath !== 'string') {
    throw new ArgusError(usageInvalid, { message: 'projectPath must be the path of a folder' });
  }
  try {
    return await openFor(tool, projectPath, surroundings);
  } catch (thrown) {
    if (!helpful.includes(tool)) throw thrown;
    return openNothing(surroundings);
  }
}

/** The codes that are known without a project. */
const known: readonly ErrorCode[] = [...coreErrorCodes, ...adapterErrorCodes];
const errorCodes = new Map(known.map((one) => [one.code, one]));

/** A project that cannot be opened is an answer too: what is wrong, and what to do. */
function couldNotOpen(session: Session, request: Request, thrown: unknown): Answer {
  const { env, secrets } = session.surroundings;
  const error = openError(thrown, env, secrets);
  const now = fileState(error.details.file);
  const { projectPath: _, ...input } = request.args;
  const ended = { operation: operationOf(request.tool), input: input as JsonObject };
  const next = nextStep(advise({ errorCodes }, error, { ended }));
  const answer = { ok: false, error, ...(next ? { next } : {}) };
  return escalated(session, request, answer, { before: now, after: now });
}

/** The answer in a size that clients take. What does not fit can be asked for. */
function fitting(session: Session, { runId, tool }: Call, whole: Answer, verbose: boolean): CallToolResult {
  const answer = verbose ? whole : brief(tool, whole);
  const more = `Call ${moreTool} {"runId":"${runId}","offset":0} for all of it, piece by piece, or ask for less.`;
  const { result, isCut } = fittingResult(tool, answer, more, whole);
  if (isCut) session.keep(runId, JSON.stringify(answer));
  return result;
}
