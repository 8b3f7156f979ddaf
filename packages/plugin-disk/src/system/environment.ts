import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginContext } from '@argusai/core';

/** What the plugin needs to know about the process it runs in. */
export interface Environment {
  /** The folder for temporary files. */
  readonly tmpDir: string;
  /** Where a local engine may listen, in the order in which to try. */
  readonly engineSockets: readonly string[];
}

/** Reads the variables that argus was started with. */
export function readEnvironment(env: PluginContext['env']): Environment {
  return { tmpDir: tmpdir(), engineSockets: engineSockets(env) };
}

function engineSockets({ DOCKER_HOST, XDG_RUNTIME_DIR }: PluginContext['env']): string[] {
  if (DOCKER_HOST?.startsWith('unix://')) return [DOCKER_HOST.slice('unix://'.length)];
  // Any other host is the engine of another machine: its folder is not on a disk of this one.
  if (DOCKER_HOST) return [];
  const rootless = XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, 'docker.sock')] : [];
  return ['/var/run/docker.sock', ...rootless];
}
