import { relative } from 'node:path';
import { manifestAbove } from '../config/manifest-above.js';
import { isPath } from '../config/resolve-module.js';
import type { LoadedPlugin } from '../model/plugin.js';
import type { Project } from '../model/project.js';
import { property } from '../model/property.js';

/** Where a plugin comes from, for people and programs. */
export interface PluginOrigin {
  /** Part of argus itself, come along with it, a package, a file, or an object in a configuration that is code. */
  readonly from: 'core' | 'built-in' | 'package' | 'file' | 'code';
  /** The name of the package. */
  readonly package?: string;
  readonly version?: string;
  /** The file that it was loaded from, relative to the project. */
  readonly path?: string;
}

/** Tells where a plugin comes from. */
export function originOf({ plugin, source, file }: LoadedPlugin, { dir }: Project): PluginOrigin {
  const own = plugin.version === undefined ? {} : { version: plugin.version };
  if (source === 'core' || source === 'built-in' || source === 'code') return { from: source, ...own };
  const path = file === undefined ? {} : { path: relative(dir, file) };
  if (isPath(source)) return { from: 'file', ...own, ...path };
  const version = plugin.version ?? (file === undefined ? undefined : versionAbove(file));
  return { from: 'package', package: source, ...(version === undefined ? {} : { version }), ...path };
}

/** The version of the package that a file belongs to. */
function versionAbove(file: string): string | undefined {
  const version = property(manifestAbove(file), 'version');
  return typeof version === 'string' ? version : undefined;
}
