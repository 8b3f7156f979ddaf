import { join } from 'node:path';

/**
 * The environment in which argus is asked for a page: nothing of whoever asks, because that would be on the page, or be taken for a secret.
 * @param {string} project
 * @returns {Record<string, string>}
 */
export function plainEnvironment(project) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: join(project, 'home'),
    ARGUS_STATE_DIR: join(project, 'state'),
  };
}
