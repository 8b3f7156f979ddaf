import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { ArgusConfig } from '../config/schema.js';
import { canonicalJson } from '../model/canonical-json.js';
import type { LoadedPlugin } from '../model/plugin.js';

/** What makes one guardian as good as another. */
export interface FitnessParts {
  readonly config: ArgusConfig;
  readonly plugins: readonly LoadedPlugin[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variables that say where engines, programs and state are; others differ from shell to shell and mean nothing. */
const telling = /^(DOCKER_.*|ARGUS_.*|PATH|HOME|XDG_.*)$/;

/**
 * Names what a guardian works by: the program, its plugins, the configuration, and where it finds things. Two processes with the same
 * would guard a run in the same way.
 */
export function fitnessOf({ config, plugins, env }: FitnessParts): string {
  const works = {
    config,
    program: versionOf(process.argv[1]),
    plugins: plugins.map(({ plugin, source, file, options }) => [
      ...[plugin.name, plugin.version ?? '', source, versionOf(file)],
      options,
    ]),
    env: Object.fromEntries(Object.entries(env).filter(([name]) => telling.test(name))),
  };
  return createHash('sha256').update(canonicalJson(works)).digest('hex').slice(0, 16);
}

/** A file and the version of it: whoever installs or builds another writes it anew. */
function versionOf(file: string | undefined): string {
  if (file === undefined) return '';
  try {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  } catch {
    // It is gone, which is another version too.
    return file;
  }
}
