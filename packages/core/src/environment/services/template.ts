import { whyNotAsked } from '../../config/asked-from-here.js';
import {
  type Placeholder,
  placeholdersIn,
  referenceOf,
  replacePlaceholders,
  standsForNothing,
  standsForSeveral,
} from '../../config/placeholder.js';
import { nearest } from '../../model/nearest.js';
import { isContainer } from '../is-container.js';
import type { KnownPorts } from '../ports/known-ports.js';
import { withMovedIn } from '../ports/moved-in-variables.js';
import { withMovedPorts } from '../ports/moved-ports.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { HealthSpec, ServiceSpec } from './service-spec.js';
import { TemplateProblems } from './template-problems.js';
import { type Variables, variablesOf } from './variables.js';

/** What `{{…}}` in a text can stand for. */
export interface TemplateValues extends Pick<Variables, 'vars'>, Partial<Pick<Variables, 'owned'>> {
  readonly ports: KnownPorts;
  /** Which ports were asked for and which were given, for local URLs that are written out. */
  readonly assignments?: readonly PortAssignment[];
}

/** What texts stand for among these services, with the ports that are known. */
export function valuesOf(
  services: readonly ServiceSpec[],
  assignments: readonly PortAssignment[],
  ports: KnownPorts,
): TemplateValues {
  return { ports, assignments, ...variablesOf(services, assignments, ports) };
}

/** Fills in `{{ports.api}}`, `{{ports.api.3000}}`, `{{vars.base_url}}` and `{{vars.api.base_url}}`. What does not exist is an error. */
export function fillIn(text: string, values: TemplateValues, where: string): string {
  const problems = new TemplateProblems();
  const filled = fill(text, values, where, problems);
  problems.refuse();
  return filled;
}

/** A service with everything filled in that its texts refer to. A plain name means its own variable, where it has one. */
export function filledIn(service: ServiceSpec, values: TemplateValues): ServiceSpec {
  const problems = new TemplateProblems();
  const filled = fillService(service, values, problems);
  problems.refuse();
  return filled;
}

/**
 * A service as it is started: filled in, and told by variables where the services are that it depends on, unless its own
 * environment says otherwise. Of others it is not told, so that it need not be replaced when one of them comes or goes.
 */
export function toldAndFilledIn(
  service: ServiceSpec,
  needed: Iterable<string>,
  values: TemplateValues,
): ServiceSpec {
  const filled = filledIn(service, values);
  const told = values.ports.variables(needed, isContainer(service) ? 'in-container' : 'here');
  return { ...filled, environment: { ...told, ...filled.environment } };
}

/** What is wrong with the texts of services, before anything is started for them; each is given what it can count on. */
export function refuseUnfillable(
  services: readonly ServiceSpec[],
  valuesFor: (service: ServiceSpec) => TemplateValues,
): void {
  const problems = new TemplateProblems();
  for (const service of services) fillService(service, valuesFor(service), problems);
  problems.refuse();
}

/** A service with a number for every port: where any will do, the one inside stands for it. */
export function withAssumedPorts(service: ServiceSpec): ServiceSpec {
  const ports = service.ports.map((port) => ({ ...port, host: port.host ?? port.container }));
  return { ...service, ports };
}

function fillService(service: ServiceSpec, values: TemplateValues, problems: TemplateProblems): ServiceSpec {
  const { name, kind, environment, command, entrypoint, healthcheck, routes } = service;
  const { assignments = [], ports } = values;
  const from = isContainer(service) ? 'in-container' : 'here';
  const told = { service: name, from, environment } as const;
  const filling = (part: string) => (text: string) =>
    fill(text, values, `${kind}s.${name}.${part}`, problems, name);
  return {
    ...service,
    environment: Object.fromEntries(
      Object.entries(environment).map(([key, text]) => [
        key,
        filling(`environment.${key}`)(withMovedIn([key, text], told, assignments, ports)),
      ]),
    ),
    // A mock sends whoever asks it on to where it says.
    ...(routes ? { routes: mapTexts(routes, (text) => withMovedPorts(text, assignments, name)) } : {}),
    ...(command === undefined ? {} : { command: mapWords(command, filling('command')) }),
    ...(entrypoint === undefined ? {} : { entrypoint: mapWords(entrypoint, filling('entrypoint')) }),
    ...(healthcheck ? { healthcheck: fillCheck(healthcheck, service, values, filling, problems) } : {}),
  };
}

/** A health check; a whole URL in it follows the ports, so that nobody else is asked who has the old one. */
function fillCheck(
  { http, command, ...rest }: HealthSpec,
  service: ServiceSpec,
  { assignments = [] }: TemplateValues,
  filling: (part: string) => (text: string) => string,
  problems: TemplateProblems,
): HealthSpec {
  const { name } = service;
  const moved = http?.startsWith('/') ? http : http && withMovedPorts(http, assignments, name);
  const filled = moved && filling('healthcheck.http')(moved);
  // What could not be filled in is told already.
  const isOpen = filled?.startsWith('{{') && placeholdersIn(filled).length > 0;
  if (http && filled && !isOpen && !/^(\/|https?:)/.test(filled))
    problems.add(`services.${name}.healthcheck.http`, http, `${filled} is neither a path nor a whole URL`);
  // What is written as a path was looked at along with the configuration; that this is one is known only now.
  const refused = http?.startsWith('{{')
    ? whyNotAsked({ ...service, healthcheck: { ...rest, http: filled } })
    : undefined;
  if (http && refused) problems.add(`services.${name}.healthcheck.http`, http, refused.message);
  const words = command && mapWords(command, filling('healthcheck.command'));
  return {
    ...rest,
    ...(filled === undefined ? {} : { http: filled }),
    ...(words === undefined ? {} : { command: typeof words === 'string' ? words : [...words] }),
  };
}

function fill(
  text: string,
  values: TemplateValues,
  where: string,
  problems: TemplateProblems,
  owner?: string,
): string {
  return replacePlaceholders(text, (placeholder) => {
    const value = meaningOf(placeholder, values, owner);
    if (value === undefined) problems.add(where, placeholder.whole, messageFor(placeholder, values));
    return value ?? placeholder.whole;
  });
}

function meaningOf({ name }: Placeholder, values: TemplateValues, owner?: string): string | undefined {
  const { ports, vars, owned = {} } = values;
  const own = (from: Readonly<Record<string, string>>, key: string) =>
    Object.hasOwn(from, key) ? from[key] : undefined;
  const reference = referenceOf(name, (service) => ports.has(service));
  if (reference === undefined) return undefined;
  if (reference.kind === 'variable')
    return (
      own(owned, reference.name) ?? own(owned, `${owner}.${reference.name}`) ?? own(vars, reference.name)
    );
  const { service, container, protocol } = reference;
  return ports.hostPort(service, container, protocol)?.toString();
}

function messageFor(placeholder: Placeholder, { vars }: TemplateValues): string {
  const plain = placeholder.name.replace(/^vars\./, '');
  const several = Object.keys(vars).filter((key) => key.endsWith(`.${plain}`));
  if (plain !== placeholder.name && several.length > 1)
    return standsForSeveral(
      placeholder,
      several.map((key) => key.slice(0, -plain.length - 1)),
    );
  const known = Object.keys(vars).map((key) => `vars.${key}`);
  return standsForNothing(placeholder, nearest(placeholder.name, known));
}

function mapWords<Words extends string | readonly string[]>(words: Words, map: (word: string) => string) {
  return typeof words === 'string' ? map(words) : words.map(map);
}

/** The same with all its texts changed, however deep they lie. */
function mapTexts<Part>(part: Part, map: (text: string) => string): Part;
function mapTexts(part: unknown, map: (text: string) => string): unknown {
  if (typeof part === 'string') return map(part);
  if (Array.isArray(part)) return part.map((one) => mapTexts(one, map));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, mapTexts(one, map)]));
}
