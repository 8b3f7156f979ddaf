import { join } from 'node:path';
import { apiProgram, apiReport } from './api-report.mjs';
import { readPackages } from './workspace.mjs';

/**
 * The report of each package that something can be imported from, by the name of its file.
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function apiReports(root) {
  const packages = readPackages(root).map(({ name, folder, manifest }) => ({
    name,
    folder,
    entries: Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
      const types = typeof target === 'object' && target !== null ? Reflect.get(target, 'types') : undefined;
      return typeof types === 'string' ? [{ specifier: join(name, path), file: join(folder, types) }] : [];
    }),
  }));
  const program = apiProgram(packages.flatMap(({ entries }) => entries));
  return new Map(
    packages
      .filter(({ entries }) => entries.length > 0)
      .map(({ name, folder, entries }) => [
        `${name.replace('@argusai/', '')}.api.md`,
        apiReport(name, entries, program, folder),
      ]),
  );
}
