import type * as z from 'zod';
import { nearest } from '../model/nearest.js';
import { variableName } from './variable-name.js';

interface Named {
  readonly dependsOn?: readonly string[];
  readonly restartWith?: readonly string[];
}

interface Referring {
  readonly services?: Readonly<Record<string, Named | undefined>>;
  readonly mocks?: Readonly<Record<string, unknown>>;
}

/**
 * Checks what services say about each other: names that do not exist, names used twice, and circles. It also runs
 * on a configuration with other problems, so any part of that may be missing.
 */
export function checkReferences(config: Referring, context: z.core.$RefinementCtx): void {
  const services = Object.entries(config.services ?? {});
  const mocks = Object.keys(config.mocks ?? {});
  const known = [...services.map(([name]) => name), ...mocks];
  const report = (path: PropertyKey[], message: string, params?: Record<string, string>) =>
    context.addIssue({ code: 'custom', path, message, ...(params ? { params } : {}) });

  for (const name of mocks.filter((mock) => services.some(([service]) => service === mock))) {
    report(['mocks', name], 'there is already a service of this name');
  }
  for (const [index, name] of known.entries()) {
    const other = known.slice(0, index).find((one) => variableName(one) === variableName(name));
    if (other === undefined || other === name) continue;
    const kind = index < services.length ? 'services' : 'mocks';
    const message = `${JSON.stringify(name)} and ${JSON.stringify(other)} would both be ARGUS_PORT_${variableName(name)}; rename one of them`;
    report([kind, name], message);
  }
  for (const [name, service] of services) {
    for (const key of ['dependsOn', 'restartWith'] as const) {
      for (const [index, other] of listOf(service?.[key]).entries()) {
        if (known.includes(other)) continue;
        const suggestion = nearest(other, known);
        const hint = suggestion === undefined ? '' : `, did you mean ${JSON.stringify(suggestion)}?`;
        const message = `there is no service ${JSON.stringify(other)}${hint}`;
        report(
          ['services', name, key, index],
          message,
          suggestion === undefined ? undefined : { suggestion },
        );
      }
    }
  }
  const graph = new Map(services.map(([name, service]) => [name, listOf(service?.dependsOn)]));
  for (const circle of circles(graph)) {
    report(['services', circle[0] ?? '', 'dependsOn'], `services wait for each other: ${circle.join(' → ')}`);
  }
}

function listOf(names: unknown): string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Every circle once, each as the names along it, the first repeated at the end. */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name);
    if (start >= 0) found.push([...path.slice(start), name]);
    if (start >= 0 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return found;
}
