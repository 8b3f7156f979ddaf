import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigPlace, homeFolder } from '@argusai/core';
import type { Start } from './run-docker.js';

/** Where the daemon is when nobody has said anything else. */
export const usualEndpoint =
  process.platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock';

/** Who says where the daemon is: a variable, the context that is chosen, or nobody. */
export function endpointPlace(env: Start['env']): ConfigPlace {
  const { DOCKER_HOST, DOCKER_CONTEXT } = env;
  if (DOCKER_HOST) return { key: 'DOCKER_HOST', value: DOCKER_HOST, from: 'environment' };
  if (DOCKER_CONTEXT) return { key: 'DOCKER_CONTEXT', value: DOCKER_CONTEXT, from: 'environment' };
  const folder = configFolder(env);
  const context = folder && currentContext(folder);
  return folder && context
    ? { key: 'currentContext', value: context, from: 'file', file: join(folder, 'config.json') }
    : { key: 'DOCKER_HOST', value: usualEndpoint, from: 'default' };
}

/**
 * What tells the engine that the user's client speaks to from others; nothing for the usual one of this machine. It is
 * read from what the client itself goes by, in the same order, because asking the client takes longer than a check may.
 */
export function whichEngine(env: Start['env']): string | undefined {
  const host = env.DOCKER_HOST;
  if (host) return host === usualEndpoint ? undefined : host;
  const folder = configFolder(env);
  const context = env.DOCKER_CONTEXT || (folder && currentContext(folder));
  return !context || context === 'default'
    ? undefined
    : [`context ${context}`, ...(folder ? [`of ${folder}`] : [])].join(' ');
}

/** Where the client keeps what it goes by; nowhere for a user without a home folder. */
function configFolder(env: Start['env']): string | undefined {
  if (env.DOCKER_CONFIG) return env.DOCKER_CONFIG;
  const home = homeFolder(env);
  return home && join(home, '.docker');
}

function currentContext(folder: string): string | undefined {
  try {
    const { currentContext: name } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    return typeof name === 'string' ? name : undefined;
  } catch {
    // Most users have no such file, and one that cannot be read names no context to the client either.
    return undefined;
  }
}
