import { type Kernel, runOperation, runsOf } from '@argusai/core';
import type { NameKind } from './name-kind.js';

/** The names of one kind that a project has, each fit for a line of its own. */
export async function namesOf(kernel: Kernel, kind: NameKind): Promise<string[]> {
  const names = await all(kernel, kind);
  return [...new Set(names)].filter((name) => /^[^\p{Control}\u2028\u2029]+$/u.test(name));
}

async function all(kernel: Kernel, kind: NameKind): Promise<readonly string[]> {
  const { config, checkers, circuits, errorCodes, plugins } = kernel;
  switch (kind) {
    case 'services':
      return [...Object.keys(config.services), ...Object.keys(config.mocks)];
    case 'runs':
      // The newest first: it is most likely the one that is meant.
      return (await runsOf(kernel.store, kernel.project.name)).map(({ id }) => id).toReversed();
    case 'checkers': {
      const names = checkers.values().map(({ name }) => name);
      const hasSome = (plugin: string) => names.some((name) => name.startsWith(`${plugin}.`));
      return [...names, ...plugins.map(({ plugin }) => plugin.name).filter(hasSome)];
    }
    case 'circuits':
      return circuits.all().map(({ name }) => name);
    case 'codes':
      return errorCodes.values().map(({ code }) => code);
    case 'suites':
      return config.tests.suites.map(({ id }) => id);
    case 'faults':
      return await faultNames(kernel);
    case 'explained':
      return explainedNames(kernel);
    case 'sections':
      return sectionNames(config);
  }
}

/** Everything that `argus explain` has something to say about. */
function explainedNames({ errorCodes, checkers, recoverers, operations }: Kernel): string[] {
  return [
    ...errorCodes.values().map(({ code }) => code),
    ...[...checkers.values(), ...recoverers.values()].map(({ name }) => name),
    ...operations.values().flatMap(({ name, alias }) => (alias === undefined ? [name] : [alias, name])),
  ];
}

/** The sections of the configuration, and what has a name inside them. */
function sectionNames(config: Kernel['config']): string[] {
  const named = [config.services, config.mocks].map((section) => Object.keys(section));
  const inside = ['services', 'mocks'].flatMap((section, index) =>
    (named[index] ?? []).map((name) => `${section}.${name}`),
  );
  return [...Object.keys(config), ...inside];
}

async function faultNames(kernel: Kernel): Promise<string[]> {
  const list = kernel.operations.get('fault-list');
  const envelope = list && (await runOperation(kernel, list, {}));
  const { faults } = (envelope?.ok ? envelope.data : { faults: [] }) as { faults: { name: string }[] };
  return faults.map(({ name }) => name);
}
