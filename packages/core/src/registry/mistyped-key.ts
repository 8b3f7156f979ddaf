import type { Checker } from '../model/checker.js';
import type { ErrorCode } from '../model/error-code.js';
import { nearest } from '../model/nearest.js';
import type { Operation } from '../model/operation.js';
import type { Recoverer } from '../model/recoverer.js';

/** Every key that an item of a kind can have; the compiler says when one is missing here. */
interface Keys {
  readonly 'error code': Readonly<Record<keyof ErrorCode, true>>;
  readonly checker: Readonly<Record<keyof Checker, true>>;
  readonly recoverer: Readonly<Record<keyof Recoverer, true>>;
  readonly operation: Readonly<Record<keyof Operation, true>>;
}

const keys: Keys = {
  'error code': {
    code: true,
    category: true,
    severity: true,
    summary: true,
    causes: true,
    handling: true,
    remedy: true,
    remedies: true,
    suggestedActions: true,
    details: true,
  },
  checker: {
    name: true,
    description: true,
    codes: true,
    requires: true,
    follows: true,
    timeoutMs: true,
    ofRun: true,
    advisory: true,
    check: true,
  },
  recoverer: {
    name: true,
    description: true,
    handles: true,
    risk: true,
    plan: true,
    apply: true,
    evidence: true,
  },
  operation: {
    name: true,
    alias: true,
    summary: true,
    description: true,
    guidance: true,
    input: true,
    output: true,
    effects: true,
    effectsOf: true,
    rollsBack: true,
    leaves: true,
    needsConfig: true,
    run: true,
  },
};

/**
 * What is wrong with an item that has a key which looks like another one that it lacks: `requirs`, `timeout`. It would be passed over
 * without a word. Other keys that nobody here knows are left alone, since a later minor of core may know them.
 */
export function mistypedKey(kind: keyof Keys, name: string, item: object): string | undefined {
  const known = Object.keys(keys[kind]);
  const unused = known.filter((key) => !(key in item));
  for (const key of Object.keys(item)) {
    const meant = known.includes(key) ? undefined : nearest(key, unused);
    if (meant !== undefined) return `the ${kind} ${name} has a key ${key}, did you mean ${meant}?`;
  }
  return undefined;
}
