import type * as z from 'zod';
import { nearest } from '../model/nearest.js';
import {
  othersIn,
  type Placeholder,
  placeholdersIn,
  referenceOf,
  standsForNothing,
  standsForSeveral,
} from './placeholder.js';
import { mappingOf, type PortMapping, portFor } from './port-mapping.js';
import { circles } from './references.js';

/** A text of the configuration, and whose it is. */
interface Text {
  readonly path: readonly PropertyKey[];
  readonly text: string;
  readonly owner?: string;
}

/** What there is to refer to. */
interface Known {
  /** The ports of each service and mock; undefined where something is wrong with them. */
  readonly ports: ReadonlyMap<string, readonly PortMapping[] | undefined>;
  readonly vars: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/**
 * Checks that every `{{…}}` of argus stands for something, for one thing only, and not for itself. It also runs on a configuration
 * with other problems, so any part of that may be missing or of another kind.
 */
export function checkPlaceholders(config: object, context: z.core.$RefinementCtx): void {
  const services = [...entries(at(config, 'services')), ...entries(at(config, 'mocks'))];
  const known: Known = {
    ports: new Map(services.map(([name, service]) => [name, portsOf(service)])),
    vars: new Map(
      services.map(([name, service]) => [name, Object.fromEntries(textEntries(service, 'vars'))]),
    ),
  };
  for (const { path, text, owner } of textsOf(config)) {
    const problems = [
      ...placeholdersIn(text).map((placeholder) => problemOf(placeholder, owner, known)),
      ...othersIn(text).map((other) => misspelt(other, known)),
    ];
    for (const problem of problems)
      if (problem) context.addIssue({ code: 'custom', path: [...path], ...problem });
  }
  for (const circle of circles(variableGraph(known))) {
    const [owner = '', name = ''] = JSON.parse(circle[0] ?? '[]') as string[];
    const section = at(at(config, 'services'), owner) === undefined ? 'mocks' : 'services';
    const names = circle.map((one) => (JSON.parse(one) as string[]).join('.'));
    const message = `variables stand for each other: ${names.join(' → ')}`;
    context.addIssue({ code: 'custom', path: [section, owner, 'vars', name], message });
  }
}

function problemOf(placeholder: Placeholder, owner: string | undefined, known: Known) {
  const reference = referenceOf(placeholder.name, (name) => known.ports.has(name));
  if (reference?.kind === 'port' && known.ports.has(reference.service)) {
    const ports = known.ports.get(reference.service);
    if (ports === undefined || portFor(ports, reference.container, reference.protocol)) return undefined;
  }
  if (reference?.kind === 'variable') {
    const meant = meantBy(reference.name, owner, known);
    const texts = new Set(meant.map(([service, name]) => known.vars.get(service)?.[name]));
    if (texts.size === 1) return undefined;
    if (texts.size > 1)
      return {
        message: standsForSeveral(
          placeholder,
          meant.map(([service]) => service),
        ),
      };
  }
  return nothingKnown(placeholder, nearest(placeholder.name, namesOf(known)));
}

/** That something in braces is nearly a name that there is, `{{port.api}}`. Everything else is meant for another tool. */
function misspelt(other: Placeholder, known: Known) {
  const suggestion = /^[a-z]+\.\S+$/i.test(other.name) ? nearest(other.name, namesOf(known)) : undefined;
  return suggestion === undefined ? undefined : nothingKnown(other, suggestion);
}

function nothingKnown(placeholder: Placeholder, suggestion: string | undefined) {
  const message = standsForNothing(placeholder, suggestion);
  return { message, ...(suggestion === undefined ? {} : { params: { suggestion: `{{${suggestion}}}` } }) };
}

/** The variables that a name can mean: one of a service that it names, an own one, or those of any service. */
function meantBy(name: string, owner: string | undefined, { vars }: Known): (readonly [string, string])[] {
  for (const [service, own] of vars) {
    const plain = name.slice(service.length + 1);
    if (name.startsWith(`${service}.`) && Object.hasOwn(own, plain)) return [[service, plain]];
  }
  const having = [...vars].filter(([, own]) => Object.hasOwn(own, name)).map(([service]) => service);
  const meant = owner !== undefined && having.includes(owner) ? [owner] : having;
  return meant.map((service) => [service, name]);
}

/** Which variables each variable refers to. */
function variableGraph(known: Known): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [owner, own] of known.vars) {
    for (const [name, text] of Object.entries(own)) {
      const next = placeholdersIn(text).flatMap((one) => {
        const reference = referenceOf(one.name, () => false);
        return reference?.kind === 'variable' ? meantBy(reference.name, owner, known) : [];
      });
      graph.set(
        JSON.stringify([owner, name]),
        next.map((one) => JSON.stringify(one)),
      );
    }
  }
  return graph;
}

function namesOf({ ports, vars }: Known): string[] {
  return [
    ...[...ports].flatMap(([name, own = []]) => [
      ...(own.length > 0 ? [`ports.${name}`] : []),
      ...own.map(({ container }) => `ports.${name}.${container}`),
    ]),
    ...[...vars].flatMap(([service, own]) =>
      Object.keys(own).flatMap((name) => [`vars.${name}`, `vars.${service}.${name}`]),
    ),
  ];
}

/** Every text in which placeholders are filled in. */
function textsOf(config: object): Text[] {
  const ofServices = ['services', 'mocks'].flatMap((section) =>
    entries(at(config, section)).flatMap(([owner, service]) =>
      ['environment', 'command', 'entrypoint', 'vars']
        .map((key) => [key])
        .concat([
          ['healthcheck', 'http'],
          ['healthcheck', 'command'],
        ])
        .flatMap((keys) => strings(keys.reduce(at, service), [section, owner, ...keys]))
        .map((text) => ({ ...text, owner })),
    ),
  );
  const suites = at(at(config, 'tests'), 'suites');
  const ofSuites = (Array.isArray(suites) ? suites : []).flatMap((suite, index) =>
    ['command', 'environment'].flatMap((key) => strings(at(suite, key), ['tests', 'suites', index, key])),
  );
  return [...ofServices, ...ofSuites];
}

function strings(value: unknown, path: readonly PropertyKey[]): Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((one, index) => strings(one, [...path, index]));
  return entries(value).flatMap(([key, one]) => strings(one, [...path, key]));
}

function textEntries(value: unknown, key: string): [string, string][] {
  return entries(at(value, key)).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []));
}

function portsOf(service: unknown): readonly PortMapping[] | undefined {
  const port = at(service, 'port');
  if (typeof port === 'number') return [mappingOf(port)];
  const ports = port === undefined ? at(service, 'ports') : [port];
  if (ports === undefined) return [];
  const isMapping = (one: unknown) => typeof at(one, 'container') === 'number';
  return Array.isArray(ports) && ports.every(isMapping) ? ports : undefined;
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
