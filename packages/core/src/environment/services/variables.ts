import { type Reference, referenceOf, replacePlaceholders } from '../../config/placeholder.js';
import { configError } from '../../config/problem.js';
import type { KnownPorts } from '../ports/known-ports.js';
import { withMovedPorts } from '../ports/moved-ports.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { ServiceSpec } from './service-spec.js';

/** The variables of all services, with everything filled in as far as it is known. */
export interface Variables {
  /** By plain name; a name that several services have is there with theirs in front, plain only where they agree. */
  readonly vars: Readonly<Record<string, string>>;
  /** Every variable with the name of its service in front: `api.base_url`. */
  readonly owned: Readonly<Record<string, string>>;
}

/**
 * Fills in the variables of services: old ports of local URLs are replaced by those that the services have, and
 * placeholders by what they stand for. One that refers to what is not known yet is left out.
 */
export function variablesOf(
  services: readonly Pick<ServiceSpec, 'name' | 'vars' | 'kind'>[],
  assignments: readonly PortAssignment[],
  ports: KnownPorts,
): Variables {
  const owned: Record<string, string> = {};
  const all = services.flatMap(({ name: service, vars }) =>
    Object.entries(vars).map(([name, text]) => ({ key: `${service}.${name}`, service, name, text })),
  );
  type Variable = (typeof all)[number];

  const meaning = (reference: Reference | undefined, from: Variable, path: readonly Variable[]) => {
    if (reference === undefined) return undefined;
    if (reference.kind === 'port')
      return ports.hostPort(reference.service, reference.container, reference.protocol)?.toString();
    const { name } = reference;
    const meant = all.filter(({ key }) => key === name);
    const plain = all.filter((one) => one.name === name);
    const own = plain.filter(({ service }) => service === from.service);
    const values = new Set((meant[0] ? meant : own[0] ? own : plain).map((one) => value(one, path)));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const value = (variable: Variable, path: readonly Variable[]): string | undefined => {
    if (path.includes(variable)) throw circle(services, [...path, variable]);
    if (variable.key in owned) return owned[variable.key];
    let isKnown = true;
    // What is filled in is where things are; only what is written may be out of date.
    const moved = withMovedPorts(variable.text, assignments, variable.service);
    const filled = replacePlaceholders(moved, ({ whole, name }) => {
      const found = meaning(
        referenceOf(name, (one) => ports.has(one)),
        variable,
        [...path, variable],
      );
      isKnown &&= found !== undefined;
      return found ?? whole;
    });
    if (isKnown) owned[variable.key] = filled;
    return isKnown ? filled : undefined;
  };

  const vars: Record<string, string> = {};
  for (const variable of all) {
    const filled = value(variable, []);
    if (filled === undefined) continue;
    const namesakes = all.filter(({ name }) => name === variable.name);
    if (namesakes.length > 1) vars[variable.key] = filled;
    if (namesakes.every((one) => value(one, []) === filled)) vars[variable.name] = filled;
  }
  return { vars, owned };
}

function circle(
  services: readonly Pick<ServiceSpec, 'name' | 'kind'>[],
  path: readonly { readonly key: string; readonly service: string; readonly name: string }[],
) {
  const last = path.at(-1);
  const names = path.slice(path.findIndex(({ key }) => key === last?.key)).map(({ key }) => key);
  const kind = services.find(({ name }) => name === last?.service)?.kind ?? 'service';
  const where = [`${kind}s`, last?.service ?? '', 'vars', last?.name ?? ''];
  return configError(null, [
    { path: where, message: `variables stand for each other: ${names.join(' → ')}` },
  ]);
}
