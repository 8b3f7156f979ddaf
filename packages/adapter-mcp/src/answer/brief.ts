import type { Answer } from './answer.js';

type Value = Readonly<Record<string, unknown>>;

/** What only tells how an answer came about, by the name that it has wherever it is. */
const beside = ['preflight', 'report', 'stages', 'history'];

/** When a report was made, and how long that took. */
const ofReports = ['timestamp', 'duration'];

/** What a check and its problem say of themselves that nobody acts on. */
const ofChecks = ['plugin', 'duration', 'timestamp', 'category', 'severity'];

/** What says that a thing is as it should be. */
const fine = ['pass', 'skipped'];

/** What says so of a path between services, or that there is none that could be closed. */
const open = ['reachable', 'no-port'];

/** How many of the last lines of a service are told. */
const keptLines = 20;

/** The tools whose answer means something as a whole. */
const whole = ['argus_schema', 'argus_more', 'argus_explain'];

/** An answer with what is wrong and what there is, once: no passing checks, no empty parts, nothing about how it came about. */
export function brief(tool: string, answer: Answer): Answer {
  if (whole.includes(tool)) return answer;
  const { data, error, notices } = answer;
  const short = <Problem extends { readonly details: unknown }>(problem: Problem): Problem => ({
    ...problem,
    details: shorter(problem.details),
  });
  return withWordsOf({
    ...answer,
    ...(data === undefined ? {} : { data: shorter(data) }),
    ...(error ? { error: short(error) } : {}),
    ...(notices ? { notices: notices.map(short) } : {}),
  });
}

/** The answer with the words of others that still stand for something in it. */
function withWordsOf({ untrusted, ...answer }: Answer): Answer {
  const text = JSON.stringify(answer);
  const left = Object.entries(untrusted ?? {}).filter(([name]) => text.includes(`[${name}]`));
  return left.length === 0 ? answer : { ...answer, untrusted: Object.fromEntries(left) };
}

function shorter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorter);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const isReport = 'checks' in value || 'allReachable' in value;
    if (beside.includes(key) || (isReport && ofReports.includes(key))) return [];
    if (!Array.isArray(item)) return [[key, shorter(item)]];
    if (key === 'checks') return [[key, item.filter(isNews).map(problemOf)]];
    if (key === 'results') return [[key, item.filter(isClosed).map(shorter)]];
    if (key === 'failureHistory') return [[key, item.slice(-1)]];
    if (key === 'restarts') return [[key, item.map((one, at) => shorter(item[at + 1] ? bare(one) : one))]];
    const isOutput = key === 'lines' && typeof item[0] === 'string';
    return [[key, isOutput ? item.slice(-keptLines) : shorter(item)]];
  });
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isNews(check: unknown): boolean {
  return !fine.includes(String((check as Value).status));
}

function isClosed(path: Value): boolean {
  return !open.includes(String(path.status)) && !open.includes(String(path.reason));
}

/** A restart without what was kept before it: the last one has the last words of them all. */
function bare({ evidence: _, ...restart }: Value): Value {
  return restart;
}

/** A check that found a problem: what its error says is said there only. */
function problemOf(check: Value): unknown {
  const { error, ...own } = check;
  const left = (value: Value) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !ofChecks.includes(key)));
  if (typeof error !== 'object' || error === null) return shorter(left(own));
  const { message: _, details: __, ...named } = own;
  return { ...left(named), error: shorter(left(error as Value)) };
}

function isEmpty(item: unknown): boolean {
  if (Array.isArray(item)) return item.length === 0;
  return typeof item === 'object' && item !== null && Object.keys(item).length === 0;
}
