import { readConfig } from '../config/read-config.js';
import { property } from '../model/property.js';
import type { Draft, DraftSuite } from './draft.js';
import { serviceOf } from './e2e/service-of.js';
import { suiteOf } from './e2e/suite-of.js';

/** The names of the configuration that argus takes last, so that one written by `argus init` comes before it. */
export const e2eFiles = ['e2e.yaml', 'e2e.yml'];

/** What is carried over as it is; what the schema does not take of it is left out later. */
const sections = ['plugins', 'mocks', 'environment', 'resilience', 'policy', 'state'];

/** What is read here, or has nothing to say. */
const known = new Set(['version', '$schema', 'project', 'service', 'services', 'tests', ...sections]);

const reasons: Readonly<Record<string, string>> = {
  dashboard: 'there is none; argus status --watch shows how things are',
  network: 'every environment has a network of its own, which all its services share',
};

/** What an `e2e.yaml` says, be it one of argus or of its predecessor ArgusAI. Throws when it cannot be read. */
export async function fromE2e(file: string, text: string): Promise<Draft> {
  const { data } = await readConfig({ file, text });
  const name = property(property(data, 'project'), 'name');
  const suites = listed(property(property(data, 'tests'), 'suites')).map(suiteOf);
  return {
    source: { kind: 'e2e', file },
    ...(typeof name === 'string' && name !== '' ? { project: name } : {}),
    services: servicesIn(data).map(([service, raw]) => serviceOf(service, raw, file)),
    suites: suites.flatMap(({ suite }): DraftSuite[] => (suite ? [suite] : [])),
    sections: Object.fromEntries(
      sections.flatMap((key) => {
        const section = property(data, key);
        return section === undefined || section === null ? [] : [[key, section]];
      }),
    ),
    notes: [...leftOut(data, file), ...suites.flatMap(({ notes }) => notes)],
  };
}

/** Services by name: one or a list of them as ArgusAI has them, or a map as argus has it. */
function servicesIn(data: unknown): [string, unknown][] {
  const one = property(data, 'service');
  const all = property(data, 'services');
  return [
    ...(one === undefined || one === null ? [] : [named(one)]),
    ...(Array.isArray(all) ? all.map(named) : Object.entries(Object(all))),
  ];
}

function named(service: unknown): [string, unknown] {
  const name = property(service, 'name') ?? property(property(service, 'container'), 'name');
  return [typeof name === 'string' && name !== '' ? name : 'app', service];
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function leftOut(data: unknown, file: string): string[] {
  const inside = (key: string, kept: string) =>
    Object.keys(Object(property(data, key)))
      .filter((one) => one !== kept)
      .map((one) => `${key}.${one}`);
  const keys = [
    ...Object.keys(Object(data)).filter((key) => !known.has(key)),
    ...inside('project', 'name'),
    ...inside('tests', 'suites'),
  ];
  return keys.map((key) => `${file}: ${key} is left out: ${reasons[key] ?? 'there is nothing like it here'}`);
}
