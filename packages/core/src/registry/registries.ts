import type { Runtime } from '../environment/runtime.js';
import type { Checker } from '../model/checker.js';
import type { ErrorCode } from '../model/error-code.js';
import type { Operation } from '../model/operation.js';
import type { Recoverer } from '../model/recoverer.js';
import { Registry } from './registry.js';

/** The registries of a kernel, empty. */
export function createRegistries() {
  return {
    errorCodes: new Registry<ErrorCode>({
      kind: 'error code',
      nameOf: ({ code }) => code,
      problemOf: (item) =>
        upperSnake.test(item?.code)
          ? undefined
          : `the error code ${show(item?.code)} is not in upper snake case, such as DISK_SPACE_LOW`,
    }),
    checkers: new Registry<Checker>({
      kind: 'checker',
      nameOf: ({ name }) => name,
      problemOf: (item, owner) => notOwn('checker', item, owner) ?? lacks('checker', item, ['check']),
    }),
    recoverers: new Registry<Recoverer>({
      kind: 'recoverer',
      nameOf: ({ name }) => name,
      problemOf: (item, owner) =>
        notOwn('recoverer', item, owner) ?? lacks('recoverer', item, ['plan', 'apply']),
    }),
    operations: new Registry<Operation>({
      kind: 'operation',
      nameOf: ({ name }) => name,
      problemOf: (item) =>
        kebab.test(item?.name)
          ? lacks('operation', item, ['run'])
          : `the operation ${show(item?.name)} is not in kebab case, such as preflight-check`,
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
const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const dotted = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/;

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
