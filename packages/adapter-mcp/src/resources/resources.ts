import {
  type HealthReport,
  type Kernel,
  type OpenProject,
  openError,
  printableJson,
  runOperation,
} from '@argusai/core';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Answer } from '../answer/answer.js';
import { cut, maxBytes } from '../answer/cut.js';
import { openFor, openNothing } from '../project/open-project.js';
import type { Session, Surroundings } from '../session/session.js';
import { codePage } from './code-page.js';

const json = 'application/json';
const markdown = 'text/markdown';

/** What can be read whole. */
export const resources: Resource[] = [
  {
    uri: 'argus://report',
    name: 'report',
    title: 'The last report',
    mimeType: json,
    description:
      'What the last check of this server found, also the one before a setup; null before there was one',
  },
  {
    uri: 'argus://config',
    name: 'config',
    title: 'The configuration',
    mimeType: json,
    description: 'The configuration in use with the line of each value, without secrets',
  },
  {
    uri: 'argus://events',
    name: 'events',
    title: 'What happened last',
    mimeType: json,
    description:
      'The last events of the current run, oldest first, each with its call: of the last call that changed something and of those still at work beside it, and of the guardian since then',
  },
];

const codes = 'argus://errors/';

/** What there is one of for each name. */
export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: `${codes}{code}`,
    name: 'error',
    title: 'A page about an error code',
    mimeType: markdown,
    description: 'What a code means, what causes it, what argus does about it and what you can do',
  },
];

/** Reads a resource; nothing when there is none of that name. */
export async function readResource(session: Session, uri: string): Promise<ReadResourceResult | undefined> {
  const text = await textOf(session, uri);
  if (text === undefined) return undefined;
  const mimeType = uri.startsWith(codes) ? markdown : json;
  return { contents: [{ uri, mimeType, text }] };
}

async function textOf(session: Session, uri: string): Promise<string | undefined> {
  if (uri === 'argus://report') return report(session.lastReport);
  if (uri === 'argus://events') return newest(session.events);
  if (uri === 'argus://config') return written(cut(await configuration(session), partOfConfig, bytesWritten));
  if (!uri.startsWith(codes)) return undefined;
  const page = await ask(session, 'explain', { name: uri.slice(codes.length) }, openNothing);
  return page.ok ? codePage(page.data) : undefined;
}

const partOfConfig = 'Call argus_config {"only":"services"}, or with another part, for all that is there.';
const partOfReport = 'Call argus_preflight_check with only for some checks at a time.';

function written(value: unknown): string {
  return printableJson(value, 2);
}

function bytesWritten(value: unknown): number {
  return Buffer.byteLength(written(value));
}

/** The report, or as much of it as fits. */
function report(last: HealthReport | undefined): string {
  const { data, truncated } = cut({ ok: true, data: last ?? null }, partOfReport, bytesWritten);
  return written(truncated ? { ...(data as object | undefined), truncated } : data);
}

/** The newest of them, as many as an answer may have. */
function newest(events: readonly unknown[]): string {
  const text = written(events);
  return events.length <= 1 || Buffer.byteLength(text) <= maxBytes ? text : newest(events.slice(1));
}

/** The configuration in use. Where it cannot be read there is none in use, and what is wrong with it is told. */
async function configuration(session: Session): Promise<Answer> {
  try {
    return await ask(session, 'config', {});
  } catch (thrown) {
    const { env, secrets } = session.surroundings;
    return { ok: false, error: openError(thrown, env, secrets) };
  }
}

/** What an operation that changes nothing says. What needs no project is asked without one where it cannot be opened. */
async function ask(
  { surroundings }: Session,
  name: string,
  input: object,
  instead?: (surroundings: Surroundings) => Promise<OpenProject>,
) {
  const opened = openFor('', undefined, surroundings);
  const { kernel, close } = await (instead ? opened.catch(() => instead(surroundings)) : opened);
  try {
    return await runOperation(kernel, requireOperation(kernel, name), input);
  } finally {
    await close();
  }
}

function requireOperation({ operations }: Kernel, name: string) {
  const operation = operations.get(name);
  if (!operation) throw new Error(`There is no operation ${name}`);
  return operation;
}
