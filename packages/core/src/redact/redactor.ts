import type { Json, JsonObject } from '../model/json.js';
import { describesCredential, namesCredential, namesCredentialContainer } from './credential-name.js';
import { maskKeyItems } from './key-items.js';
import { longestForm } from './known-secrets.js';
import { REDACTED } from './redacted.js';
import { isNoSecret } from './secret-value.js';
import { createTextRedactor } from './text-redactor.js';

/** Deeper than any report. What is below is removed unread, so that no value can exhaust the stack. */
const MAX_DEPTH = 500;

/** Names of properties are few and come again and again. */
const MAX_REMEMBERED_NAMES = 1_000;

/** Removes secrets from what leaves the kernel. Never throws, never changes what it is given. */
export interface Redactor {
  /** The value without its secrets, of the same shape; the very same value when there are none. */
  redact<Value extends Json>(value: Value): Value;
  /** The text without its secrets. */
  text(message: string): string;
  /**
   * The first so many characters of a text, without its secrets. Hand it the whole text: what is cut before its secrets are removed may end
   * with half of one, which nobody recognises.
   */
  first(message: string, limit: number): string;
  /** The last so many characters, in the same way. */
  last(message: string, limit: number): string;
  /** How long what it knows by value may be where it is printed, in bytes. Whoever keeps the end of what is printed keeps so much more. */
  readonly longest: number;
}

/** A variable of an environment as engines list it. Its value goes to the end of the string, spaces and all. */
const VARIABLE = /^([A-Za-z_]\w*)=/;

/** Names under which a list of pairs keeps the name of each: variables, headers, problems of a configuration. */
const PAIR_NAMES = ['name', 'key', 'path', 'header', 'variable'];
const PAIR_VALUES = ['value', 'received'];

/** What a redactor is told beforehand. */
export interface Known {
  readonly secrets?: Iterable<string>;
  /** What things are called: it stays readable, also where a secret is called the same. */
  readonly names?: readonly string[];
}

/** Makes a redactor that knows some secrets by value and recognises others by their shape and by their name. */
export function createRedactor({ secrets = [], names = [] }: Known = {}): Redactor {
  const known = [...secrets];
  const text = createTextRedactor(known, names);
  const keys = new Map<string, { readonly text: string; readonly isCredential: boolean }>();

  function nameOf(key: string) {
    const remembered = keys.get(key);
    if (remembered) return remembered;
    const safe = text(key);
    // Also by the name that is left, so that redacting twice is the same as redacting once.
    const name = {
      text: safe,
      isCredential: namesCredential(key) || (safe !== key && namesCredential(safe)),
    };
    if (keys.size >= MAX_REMEMBERED_NAMES) keys.clear();
    keys.set(key, name);
    return name;
  }

  function walk<Value extends Json | undefined>(value: Value, depth: number): Value | Json {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return isKnownNumber(value) ? REDACTED : value;
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return REDACTED;
    return Array.isArray(value) ? walkArray(value, depth + 1) : walkObject(value, depth + 1);
  }

  /** A secret of digits may come back as a number. Shorter numbers are never taken for secrets. */
  function isKnownNumber(value: number): boolean {
    return Math.abs(value) >= 1e9 && text(String(value)) !== String(value);
  }

  function walkArray(items: Json[], depth: number): Json[] {
    // Lines first all together: a single line from the middle of a key is not known for what it is.
    const lines = maskKeyItems(items);
    let copy = lines === items ? undefined : lines;
    for (const [at, item] of lines.entries()) {
      const safe = typeof item === 'string' ? argument(item, items[at - 1]) : walk(item, depth);
      if (safe === item) continue;
      copy ??= [...items];
      copy[at] = safe;
    }
    return copy ?? items;
  }

  /** A string in a list may be a variable of an environment, or follow the flag that says what it is. */
  function argument(item: string, before: Json | undefined): string {
    const variable = VARIABLE.exec(item)?.[1];
    if (variable !== undefined && nameOf(variable).isCredential) {
      const value = item.slice(variable.length + 1);
      return text(isNoSecret(value) ? item : `${variable}=${REDACTED}`);
    }
    const isValue = typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before) && !item.startsWith('-');
    return isValue && nameOf(before).isCredential ? replace(item) : text(item);
  }

  function walkObject(object: JsonObject, depth: number): JsonObject {
    const isSecretPair = isPair(object) && PAIR_NAMES.some((key) => isNameOfCredential(object[key]));
    const keys = Object.keys(object);
    let changed = false;
    const items = keys.map((key) => {
      const item = object[key];
      const name = nameOf(key);
      const isSecret = name.isCredential || (isSecretPair && PAIR_VALUES.includes(key));
      const safe = isSecret ? replaceAll(key, item, depth) : walk(item, depth);
      changed ||= safe !== item || name.text !== key;
      return safe;
    });
    return changed
      ? Object.fromEntries(distinct(keys.map((key) => nameOf(key).text)).map((key, at) => [key, items[at]]))
      : object;
  }

  function isNameOfCredential(name: Json | undefined): boolean {
    return typeof name === 'string' && nameOf(name.slice(-256)).isCredential;
  }

  /** What stands under the name of a credential. Flags stay, and so do objects that have names of their own. */
  function replaceAll<Value extends Json | undefined>(
    key: string,
    value: Value,
    depth: number,
  ): Value | Json {
    if (typeof value === 'string') return replace(value);
    if (typeof value === 'number') return REDACTED;
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return REDACTED;
    if (Array.isArray(value))
      return unlessSame(
        value,
        value.map((item) => replaceAll(key, item, depth + 1)),
      );
    return namesCredentialContainer(key) ? replaceMembers(value, depth) : walk(value, depth);
  }

  /** `secrets: { db: … }`: each member is a secret, except what tells where it is kept. */
  function replaceMembers(object: JsonObject, depth: number): JsonObject {
    const items = Object.entries(object).map(([key, item]) =>
      typeof item === 'string' && !describesCredential(key) ? replace(item) : item,
    );
    const isSame = Object.values(object).every((item, at) => item === items[at]);
    const members = isSame
      ? object
      : Object.fromEntries(Object.keys(object).map((key, at) => [key, items[at]]));
    return walkObject(members, depth);
  }

  /** A setting or a reference stays, but it may still hold a secret that is known. */
  const replace = (value: string) => (isNoSecret(value) ? text(value) : REDACTED);

  return {
    text,
    redact: <Value extends Json>(value: Value) => walk(value, 0) as Value,
    first: (message, limit) => firstOf(text(message), limit),
    last: (message, limit) => lastOf(text(message), limit),
    get longest() {
      return longestForm(known);
    },
  };
}

/** A cut through the middle of a character would not survive being stored. */
function firstOf(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function lastOf(text: string, limit: number): string {
  return text.length <= limit ? text : `…${text.slice(1 - limit).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function unlessSame(before: Json[], after: Json[]): Json[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}

function isPair(object: JsonObject): boolean {
  return PAIR_VALUES.some((key) => object[key] !== undefined);
}

/** Two names with different secrets in them may have become the same; no member may be lost by that. */
function distinct(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${REDACTED} (${number})`;
    taken.add(free);
    return free;
  });
}
