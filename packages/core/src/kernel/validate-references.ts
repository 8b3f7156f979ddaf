import { ArgusError } from '../model/argus-error.js';
import { pluginInvalid } from '../model/core-error-codes.js';
import type { Registries } from '../registry/registries.js';

/** A defect in what a plugin registered. */
interface Defect {
  readonly plugin: string;
  readonly problem: string;
}

/** Refuses a set of plugins in which a name leads nowhere or a requirement leads back to itself. */
export function validateReferences(registries: Registries): void {
  const defects = [
    ...missingRequirements(registries),
    ...missingActions(registries),
    ...undeclaredCodes(registries),
    ...cycles(registries),
    ...sharedNames(registries),
  ];
  const first = defects[0];
  if (!first) return;
  const problems = defects.map(({ plugin, problem }) => `${plugin}: ${problem}`);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new ArgusError(pluginInvalid, {
    message: `Plugin ${first.plugin}: ${first.problem}${more}`,
    details: { plugin: first.plugin, problems },
  });
}

/** A name in the plugin's own name space must exist; another plugin's may not be loaded. */
function isOwn(name: string, plugin: string): boolean {
  return name.startsWith(`${plugin}.`);
}

function missingRequirements({ checkers }: Registries): Defect[] {
  return checkers.values().flatMap(({ name, requires = [] }) => {
    const plugin = checkers.ownerOf(name) ?? 'core';
    return requires
      .filter((required) => isOwn(required, plugin) && !checkers.has(required))
      .map((required) => ({
        plugin,
        problem: `the checker ${name} requires ${required}, which it does not have`,
      }));
  });
}

function missingActions({ errorCodes, recoverers, operations }: Registries): Defect[] {
  return errorCodes.values().flatMap(({ code, suggestedActions }) => {
    const plugin = errorCodes.ownerOf(code) ?? 'core';
    return suggestedActions
      .filter((action) => isOwn(action, plugin) && !recoverers.has(action) && !operations.has(action))
      .map((action) => ({ plugin, problem: `the code ${code} suggests ${action}, which it does not have` }));
  });
}

function undeclaredCodes({ recoverers, errorCodes }: Registries): Defect[] {
  const declared = new Set(errorCodes.values());
  return recoverers.values().flatMap((recoverer) => {
    const plugin = recoverers.ownerOf(recoverer.name) ?? 'core';
    if (!Array.isArray(recoverer.handles)) {
      return [{ plugin, problem: `the recoverer ${recoverer.name} does not say which codes it handles` }];
    }
    // A code of another plugin is imported from it; without that plugin there is nothing to handle.
    return recoverer.handles
      .filter((code) => !declared.has(code) && !errorCodes.has(code?.code) && typeof code?.code !== 'string')
      .map(() => ({
        plugin,
        problem: `the recoverer ${recoverer.name} handles something that is no error code`,
      }));
  });
}

/** A name and an alias are both what people type, so each may mean one operation only. */
function sharedNames({ operations }: Registries): Defect[] {
  const all = operations.values();
  return all.flatMap(({ name, alias }) => {
    const other = all.find((one) => one.name !== name && (one.name === alias || one.alias === alias));
    if (alias === undefined || !other) return [];
    const owners = [operations.ownerOf(name) ?? 'core', operations.ownerOf(other.name) ?? 'core'];
    // What core has was there first.
    const plugin = owners.find((owner) => owner !== 'core') ?? 'core';
    return [{ plugin, problem: `two operations are both called ${alias}: ${name} and ${other.name}` }];
  });
}

function cycles({ checkers }: Registries): Defect[] {
  const settled = new Set<string>();
  const defects: Defect[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (settled.has(name)) return;
    const start = path.indexOf(name);
    if (start >= 0) {
      const cycle = [...path.slice(start), name].join(' → ');
      defects.push({
        plugin: checkers.ownerOf(name) ?? 'core',
        problem: `checkers require each other: ${cycle}`,
      });
      return;
    }
    for (const required of checkers.get(name)?.requires ?? []) visit(required, [...path, name]);
    settled.add(name);
  };
  for (const name of checkers.names()) visit(name, []);
  return defects;
}
