import type { Runtime } from '../environment/runtime.js';
import type { Checker } from '../model/checker.js';
import { categories, type ErrorCode, severities } from '../model/error-code.js';
import type { Operation } from '../model/operation.js';
import type { Recoverer, Risk } from '../model/recoverer.js';
import { badOperation } from './bad-operation.js';
import { mistypedKey } from './mistyped-key.js';
import { Registry } from './registry.js';

/** The registries of a kernel, empty. */
export function createRegistries() {
  return {
    errorCodes: new Registry<ErrorCode>({
      kind: 'error code',
      nameOf: ({ code }) => code,
      problemOf: (item) => badCode(item) ?? mistypedKey('error code', item.code, item),
    }),
    checkers: new Registry<Checker>({
      kind: 'checker',
      nameOf: ({ name }) => name,
      problemOf: (item, owner) =>
        notOwn('checker', item, owner) ??
        mistypedKey('checker', item.name, item) ??
        lacks('checker', item, ['check']) ??
        badChecker(item),
    }),
    recoverers: new Registry<Recoverer>({
      kind: 'recoverer',
      nameOf: ({ name }) => name,
      problemOf: (item, owner) =>
        notOwn('recoverer', item, owner) ??
        mistypedKey('recoverer', item.name, item) ??
        lacks('recoverer', item, ['plan', 'apply']) ??
        badRecoverer(item),
    }),
    operations: new Registry<Operation>({
      kind: 'operation',
      nameOf: ({ name }) => name,
      problemOf: (item) => badOperation(item) ?? mistypedKey('operation', item.name, item),
    }),
    runtimes: new Registry<Runtime>({
      kind: 'runtime',
      nameOf: ({ name }) => name,
      problemOf: (item, owner) =>
        item?.name === owner
          ? lacks('runtime', item, [
              'runs',
              'start',
              'exec',
              'stop',
              'inspect',
              'resources',
              'remove',
              'logs',
              'watch',
            ])
          : `the runtime ${show(item?.name)} is not called ${owner}, as its plugin is`,
    }),
  };
}

/** The registries of a kernel. */
export type Registries = ReturnType<typeof createRegistries>;

const upperSnake = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const dotted = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/;
const risks: readonly Risk[] = ['safe', 'disruptive', 'destructive'];

function badCode(item: ErrorCode): string | undefined {
  const { code, category, severity, summary, suggestedActions, causes = [], remedies = {} } = item ?? {};
  if (!upperSnake.test(code)) {
    return `the error code ${show(code)} is not in upper snake case, such as DISK_SPACE_LOW`;
  }
  if (!categories.includes(category))
    return `the error code ${code} has no category of ${categories.join(', ')}`;
  if (!severities.includes(severity))
    return `the error code ${code} has no severity of ${severities.join(', ')}`;
  if (typeof summary !== 'string') return `the error code ${code} has no summary`;
  if (!isTexts(causes)) return `the causes of ${code} are no list of sentences`;
  if (!isTextsByName(remedies)) return `the remedies of ${code} are no sentences by reason`;
  return isTexts(suggestedActions)
    ? undefined
    : `the suggested actions of ${code} are no list of names, such as ['orphans.clean']`;
}

function badChecker({
  name,
  requires = [],
  follows = [],
  codes = [],
  timeoutMs,
}: Checker): string | undefined {
  if (!isTexts(requires)) return `the checker ${name} requires something that is no list of names`;
  if (!isTexts(follows)) return `the checker ${name} follows something that is no list of names`;
  if (!Array.isArray(codes) || codes.some((one) => typeof one?.code !== 'string')) {
    return `the checker ${name} has codes that are no list of error codes`;
  }
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)) return undefined;
  return `the checker ${name} has a timeoutMs that is no number of milliseconds`;
}

function badRecoverer({ name, risk, evidence }: Recoverer): string | undefined {
  if (!risks.includes(risk)) return `the recoverer ${name} has no risk of ${risks.join(', ')}`;
  return evidence === undefined || typeof evidence === 'function'
    ? undefined
    : `the recoverer ${name} has an evidence that is no function`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isTextsByName(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && isTexts(Object.values(value))
  );
}

function notOwn(kind: string, item: { name: string }, owner: string): string | undefined {
  const name = item?.name;
  if (!dotted.test(name))
    return `the ${kind} ${show(name)} is not called <plugin>.<what>, such as disk.space`;
  if (name.startsWith(`${owner}.`)) return undefined;
  return `the ${kind} ${name} belongs to the plugin ${name.split('.')[0]}; ${owner} may only register ${owner}.*`;
}

function lacks<Item extends object>(
  kind: string,
  item: Item & { name: string },
  methods: readonly (keyof Item)[],
): string | undefined {
  const missing = methods.filter((method) => typeof item[method] !== 'function');
  return missing.length === 0 ? undefined : `the ${kind} ${item.name} has no ${missing.join(', ')} function`;
}

function show(name: unknown): string {
  return typeof name === 'string' ? `"${name}"` : `without a name`;
}
