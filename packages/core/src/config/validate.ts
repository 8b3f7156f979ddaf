import type * as z from 'zod';
import { nearest } from '../model/nearest.js';
import { REDACTED } from '../redact/redacted.js';
import { formatName, isRaw } from './format-name.js';
import type { Problem } from './problem.js';
import { alternativesAt, entryAt, keysAt } from './schema-walk.js';
import { isSecretPath, nameOf, shownValue, valueAt } from './shown-value.js';
import { lostKey, unusableTexts } from './unusable-texts.js';

/** What validation came to: the value with its defaults, or everything that is wrong with it. */
export type Validation<Value> =
  | { readonly value: Value; readonly problems: readonly [] }
  | { readonly value?: undefined; readonly problems: readonly Problem[] };

/** Validates and tells all problems in words that a user can act on. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Validation<z.output<Schema>> {
  const unusable = unusableTexts(input);
  const result = schema.safeParse(input);
  if (result.success && unusable.length === 0) return { value: result.data, problems: [] };
  const issues = result.error?.issues ?? [];
  return {
    problems: [...unusable, ...issues.flatMap((issue) => explain(issue, { schema, input, base: [] }))],
  };
}

/** Where an issue's path begins: the schema and the value there, and the path up to it. */
interface Place {
  readonly schema: unknown;
  readonly input: unknown;
  readonly base: readonly PropertyKey[];
}

/** Where a schema that says something of its own knows better. */
const ownWords = new Set(['invalid_type', 'invalid_value', 'too_small', 'too_big']);

function explain(issue: z.core.$ZodIssue, place: Place): Problem[] {
  if (ownWords.has(issue.code) && !isRaw(issue.message)) return [unexpected(issue, place)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.filter((key) => key !== lostKey).map((key) => unknownKey(key, issue.path, place));
    case 'invalid_union':
      return explainUnion(issue, place);
    case 'invalid_key':
      return [wrongKey(issue, place), ...underWrongKey(issue, place)];
    case 'invalid_type':
      return [wrongType(issue, place)];
    case 'invalid_value':
      return [wrongChoice(issue, issue.values, place)];
    case 'too_small':
      return [outOfBounds(issue, place, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)];
    case 'too_big':
      return [outOfBounds(issue, place, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)];
    case 'invalid_format':
      return [unexpected(issue, place, formatName(issue))];
    case 'not_multiple_of':
      return [unexpected(issue, place, `a multiple of ${issue.divisor}`)];
    default:
      return [unexpected(issue, place)];
  }
}

/** What a schema says in its own words, or else what was expected; with the value, unless that is said already. */
function unexpected(issue: z.core.$ZodIssue, place: Place, expected?: string): Problem {
  const path = [...place.base, ...issue.path];
  const found = valueAt(place.input, issue.path);
  const named = nameOf(found, path);
  if (isRaw(issue.message)) {
    const message =
      expected === undefined ? `${named} is not possible here` : `expected ${expected}, got ${named}`;
    return problem(issue, place, {
      message,
      ...(expected === undefined ? {} : { expected }),
      ...remarks(issue),
    });
  }
  const shown = shownValue(found, path);
  const isDemand = /^(?:must|expected) /.test(issue.message);
  const isQuoted = shown === undefined || shown === '' || issue.message.includes(named);
  return problem(issue, place, {
    message: isQuoted || !isDemand ? issue.message : `${issue.message}, got ${named}`,
    ...remarks(issue),
  });
}

/** A key that cannot be one. What is wrong is told of the key, and not of what stands under it. */
function wrongKey(issue: z.core.$ZodIssueInvalidKey, place: Place): Problem {
  const key = String(issue.path.at(-1));
  const [inner] = issue.issues;
  const own = inner === undefined || !isRaw(inner.message) ? inner?.message : undefined;
  if (own?.includes(JSON.stringify(key))) return problem(issue, place, { message: own });
  const [told] =
    inner === undefined || own !== undefined ? [] : explain(inner, { schema: {}, input: key, base: [] });
  const message = own === undefined ? `: ${told?.message ?? 'is not possible here'}` : ` ${own}`;
  return problem(issue, place, { message: `the key ${JSON.stringify(key)}${message}` });
}

/** What is wrong with what stands under such a key: zod has not looked at it. */
function underWrongKey({ path }: z.core.$ZodIssueInvalidKey, { schema, input, base }: Place): Problem[] {
  const entry = entryAt(schema, path.slice(0, -1));
  const found = valueAt(input, path);
  const issues = entry?.safeParse(found).error?.issues ?? [];
  return issues.flatMap((issue) => explain(issue, { schema: entry, input: found, base: [...base, ...path] }));
}

type Told = Partial<Pick<Problem, 'message' | 'expected' | 'suggestion'>>;

/** Makes the problem of an issue, with the value unless that may be a secret. */
function problem(issue: z.core.$ZodIssue, place: Place, told: Told = {}): Problem {
  const path = [...place.base, ...issue.path];
  const found = valueAt(place.input, issue.path);
  const value = shownValue(found, path);
  const { message = issue.message, ...rest } = told;
  // A schema's own message may quote the value.
  const hide = isSecretPath(path) && typeof found === 'string' && found !== '';
  const text = hide ? message.replaceAll(found, REDACTED) : message;
  return { path, message: text, ...(value === undefined ? {} : { value }), ...rest };
}

function unknownKey(key: string, path: readonly PropertyKey[], { schema, base }: Place): Problem {
  const known = keysAt(schema, path);
  const suggestion = nearest(key, known);
  return {
    path: [...base, ...path, key],
    message: `unknown key ${JSON.stringify(key)}${didYouMean(suggestion)}`,
    ...(known.length === 0 ? {} : { expected: `one of ${known.join(', ')}` }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function wrongType(issue: z.core.$ZodIssueInvalidType, place: Place): Problem {
  const found = valueAt(place.input, issue.path);
  const expected = kindName(issue.expected);
  const named = nameOf(found, [...place.base, ...issue.path]);
  const message =
    found === undefined ? `is missing, expected ${expected}` : `expected ${expected}, got ${named}`;
  return problem(issue, place, { message, expected });
}

function wrongChoice(issue: z.core.$ZodIssue, values: readonly unknown[], place: Place): Problem {
  const found = valueAt(place.input, issue.path);
  const path = [...place.base, ...issue.path];
  const choices = values.map(String);
  const suggestion = typeof found === 'string' ? nearest(found, choices) : undefined;
  const expected = choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`;
  const named = found === undefined ? 'is missing' : `${nameOf(found, path)} is not possible here`;
  return problem(issue, place, {
    message: `${named}, expected ${expected}${didYouMean(suggestion)}`,
    expected,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

function outOfBounds(
  issue: z.core.$ZodIssue,
  place: Place,
  relation: string,
  bound: number | bigint,
): Problem {
  const found = valueAt(place.input, issue.path);
  const path = [...place.base, ...issue.path];
  if (found === '') return problem(issue, place, { message: 'must not be empty' });
  const unit = { string: ['character', 'characters'], object: ['entry', 'entries'] }[typeof found as string];
  const expected = `${relation} ${bound}${unit === undefined ? '' : ` ${unit[bound === 1 ? 0 : 1]}`}`;
  return problem(issue, place, { message: `expected ${expected}, got ${nameOf(found, path)}`, expected });
}

/** Explains the alternative that was most likely meant, or names them all when none comes near. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, place: Place): Problem[] {
  if ('options' in issue && Array.isArray(issue.options)) return [wrongChoice(issue, issue.options, place)];
  const alternatives = alternativesAt(place.schema, issue.path);
  const candidates = issue.errors
    .map((issues, index) => ({ issues, schema: alternatives[index] }))
    .filter(({ issues }) => issues.length > 0 && !issues.some(isOtherShape))
    .sort((left, right) => left.issues.length - right.issues.length);
  const [best] = candidates;
  if (best) {
    const base = [...place.base, ...issue.path];
    const input = valueAt(place.input, issue.path);
    return best.issues.flatMap((inner) => explain(inner, { schema: best.schema, input, base }));
  }
  const found = valueAt(place.input, issue.path);
  const kinds = new Set(
    issue.errors.flat().flatMap((inner) => ('expected' in inner ? kindName(inner.expected) : [])),
  );
  const own = isRaw(issue.message) ? undefined : issue.message;
  const named = found === undefined ? 'nothing' : nameOf(found, [...place.base, ...issue.path]);
  const expected = own?.replace(/^expected /, '') ?? [...kinds].join(' or ');
  if (expected === '') return [unexpected(issue, place)];
  return [problem(issue, place, { message: `expected ${expected}, got ${named}`, expected })];
}

/** Tells whether an alternative was not meant at all, because already the kind of value is another. */
function isOtherShape(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && ['invalid_type', 'invalid_value', 'custom'].includes(issue.code);
}

/** What the schemas of argus add to their own messages. */
function remarks(issue: z.core.$ZodIssue): Told {
  const { expected, suggestion } = ('params' in issue ? (issue.params ?? {}) : {}) as Record<string, unknown>;
  return {
    ...(typeof expected === 'string' ? { expected } : {}),
    ...(typeof suggestion === 'string' ? { suggestion } : {}),
  };
}

function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `, did you mean ${JSON.stringify(suggestion)}?`;
}

function kindName(kind: string): string {
  const names: Record<string, string> = {
    string: 'a string',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    date: 'a date',
    array: 'a list',
    tuple: 'a list',
    object: 'an object',
    record: 'an object',
  };
  return names[kind] ?? kind;
}
