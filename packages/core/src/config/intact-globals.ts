/** What everything in a process uses, and nobody may change for the others. */
const shared = {
  JSON,
  Object,
  Array,
  Promise,
  Reflect,
  Math,
  Date,
  Number,
  String,
  'Object.prototype': Object.prototype,
  'Function.prototype': Function.prototype,
  'Array.prototype': Array.prototype,
  'String.prototype': String.prototype,
  'RegExp.prototype': RegExp.prototype,
  'Promise.prototype': Promise.prototype,
  'Map.prototype': Map.prototype,
  'Set.prototype': Set.prototype,
};

/** Where one more name that is listed shows up in every loop of everybody. */
const looped = ['Object.prototype', 'Function.prototype', 'Array.prototype'] as const;

interface Part {
  readonly name: string;
  readonly owner: object;
  readonly key: PropertyKey;
  readonly value: unknown;
}

// Held here, because what is called by its name may be what was changed. For the same reason there is no method of a list below.
const { get, ownKeys, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
const { keys } = Object;

let intact: readonly Part[] | undefined;

/** Looks at what everybody uses, before the first code of others runs. */
export function rememberGlobals(): void {
  intact ??= functionsNow();
}

/**
 * What code of others has changed of what everybody uses: a method of every list or promise, JSON. All of it is put back, so that it can
 * at least be told.
 */
export function changesToGlobals(): string[] {
  const names: string[] = [];
  // No code of others has run.
  if (!intact) return names;
  for (let index = 0; index < intact.length; index += 1) {
    const part = intact[index];
    if (!part || get(part.owner, part.key) === part.value) continue;
    defineProperty(part.owner, part.key, {
      value: part.value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
    names[names.length] = part.name;
  }
  for (let index = 0; index < looped.length; index += 1) {
    const name = looped[index];
    const added = name ? keys(shared[name]) : [];
    for (let at = 0; name && at < added.length; at += 1) {
      deleteProperty(shared[name], added[at] ?? '');
      names[names.length] = `${name}.${added[at]}`;
    }
  }
  return names;
}

/** Why code that has changed something of that cannot be used; nothing where it has not. */
export function reasonToRefuse(): string | undefined {
  const [first, ...others] = changesToGlobals();
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `it changes ${first}${more}, which everything in the process uses`;
}

/** Runs code of others, which may change nothing that everybody uses. */
export async function keepingGlobals<Value>(run: () => Promise<Value>): Promise<Value> {
  rememberGlobals();
  let reason: string | undefined;
  let value: Value;
  try {
    value = await run();
  } finally {
    reason = reasonToRefuse();
  }
  if (reason !== undefined) throw new Error(reason);
  return value;
}

function functionsNow(): Part[] {
  const parts = ['JSON', 'Object', 'Array', 'Promise'].map((key): Part => {
    return { name: key, owner: globalThis, key, value: get(globalThis, key) };
  });
  for (const [name, owner] of Object.entries(shared)) {
    for (const key of ownKeys(owner)) {
      const value: unknown = getOwnPropertyDescriptor(owner, key)?.value;
      if (typeof value === 'function') parts.push({ name: `${name}.${String(key)}`, owner, key, value });
    }
  }
  return parts;
}
