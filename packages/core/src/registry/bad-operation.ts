import type { Operation, OperationEffects } from '../model/operation.js';

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** Words that the command line understands by itself, and the names of tools that the MCP server has of its own. */
const reserved = ['help', 'version', 'mcp', 'completion', 'trust', 'cancel', 'more'];
const needed: readonly (keyof OperationEffects)[] = ['readOnly', 'destructive', 'idempotent'];

/** What is wrong with an operation, or nothing. Its plugin may be plain JavaScript, so the compiler has not looked at it. */
export function badOperation(item: Operation): string | undefined {
  const { name, alias, summary, input, output, run } = item ?? {};
  for (const word of alias === undefined ? [name] : [name, alias]) {
    if (typeof word !== 'string') return 'there is an operation without a name';
    if (!kebab.test(word)) return `the operation "${word}" is not in kebab case, such as preflight-check`;
    if (reserved.includes(word)) return `an operation cannot be called ${word}`;
  }
  if (typeof run !== 'function') return `the operation ${name} has no run function`;
  if (typeof summary !== 'string') return `the operation ${name} has no summary`;
  const hasSchemas = [input, output].every((schema) => typeof schema?.safeParse === 'function');
  if (!hasSchemas) return `the operation ${name} has no schema of its input or output`;
  return badEffects(item);
}

/** What cannot tell what it does to the world cannot be offered to anyone. */
function badEffects({ name, effects, effectsOf }: Operation): string | undefined {
  const missing = needed.filter((key) => typeof effects?.[key] !== 'boolean');
  if (missing.length > 0) {
    return `the operation ${name} does not say its effects: ${missing.join(', ')} must be true or false`;
  }
  return effectsOf === undefined || typeof effectsOf === 'function'
    ? undefined
    : `the operation ${name} has an effectsOf that is no function`;
}
