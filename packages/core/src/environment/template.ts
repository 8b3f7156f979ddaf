import { ArgusError } from '../model/argus-error.js';
import { configInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { KnownPorts } from './known-ports.js';
import type { PortAssignment } from './run-record.js';
import type { ServiceSpec } from './service-spec.js';

/** What `{{…}}` in a text can stand for. */
export interface TemplateValues {
  readonly ports: KnownPorts;
  readonly vars: Readonly<Record<string, string>>;
}

/** Fills in `{{ports.api}}`, `{{ports.api.3000}}` and `{{vars.base_url}}`. What does not exist is an error. */
export function fillIn(text: string, values: TemplateValues, where: string): string {
  return text.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, name: string) => {
    const value = meaningOf(name, values);
    if (value !== undefined) return value;
    throw unknownName(whole, name, values, where);
  });
}

/** A service with everything filled in that its texts refer to. */
export function filledIn(service: ServiceSpec, values: TemplateValues): ServiceSpec {
  const where = (part: string) => `services.${service.name}.${part}`;
  const environment = Object.entries(service.environment).map(([name, text]) => [
    name,
    fillIn(text, values, where(`environment.${name}`)),
  ]);
  const command = mapWords(service.command, (word) => fillIn(word, values, where('command')));
  return {
    ...service,
    environment: Object.fromEntries(environment),
    ...(command === undefined ? {} : { command }),
  };
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
  return { ...filled, environment: { ...values.ports.variables(needed), ...filled.environment } };
}

/** The variables of all services, with the old port of a local URL replaced by the one the service really has. */
export function variablesOf(
  services: readonly ServiceSpec[],
  assignments: readonly PortAssignment[],
): Record<string, string> {
  const entries = services.flatMap(({ name, vars }) => {
    const moved = assignments.filter(({ service, reassigned }) => service === name && reassigned);
    return Object.entries(vars).map(([key, text]) => [key, withMovedPorts(text, moved)] as const);
  });
  return Object.fromEntries(entries);
}

/** Refuses services whose texts refer to nothing, before anything is started for them. */
export function refuseUnknownNames(services: readonly ServiceSpec[]): void {
  // Whatever port a service will get, it is known by the time it is asked for.
  const assumed = services.map(({ name, ports }) => ({
    name,
    ports: ports.map((port) => ({ ...port, host: port.host ?? port.container })),
  }));
  const values = { ports: new KnownPorts(assumed), vars: variablesOf(services, []) };
  for (const service of services) filledIn(service, values);
}

function withMovedPorts(text: string, moved: readonly PortAssignment[]): string {
  return text.replace(
    /(?<![\w.-])(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):(\d+)\b/g,
    (whole, host: string, port: string) => {
      const found = moved.find(({ originalPort }) => originalPort === Number(port));
      return found ? `${host}:${found.actualPort}` : whole;
    },
  );
}

function meaningOf(name: string, { ports, vars }: TemplateValues): string | undefined {
  const [kind, first = '', second] = name.split('.');
  if (kind === 'vars') return vars[name.slice('vars.'.length)];
  if (kind !== 'ports') return undefined;
  return ports.hostPort(first, second === undefined ? undefined : Number(second))?.toString();
}

function mapWords<Words extends string | readonly string[] | undefined>(
  words: Words,
  map: (word: string) => string,
) {
  if (words === undefined) return undefined;
  return typeof words === 'string' ? map(words) : (words as readonly string[]).map(map);
}

function unknownName(whole: string, name: string, { vars }: TemplateValues, where: string): ArgusError {
  const suggestion = nearest(
    name,
    Object.keys(vars).map((key) => `vars.${key}`),
  );
  const hint = suggestion === undefined ? '' : `, did you mean {{${suggestion}}}?`;
  const message = `${whole} stands for nothing that is known here${hint}`;
  return new ArgusError(configInvalid, {
    message: `${where}: ${message}`,
    details: { file: null, problems: [{ path: where, message, value: whole }] },
  });
}
