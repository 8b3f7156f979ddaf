import { argumentList } from '@argusai/core';
import { runDocker, type Start } from './run-docker.js';
import { usualEndpoint, whichEngine } from './which-engine.js';

/** Where the user's client looks for the daemon. It knows without asking the daemon. */
export async function findEndpoint(start: Start): Promise<string> {
  if (start.env.DOCKER_HOST) return start.env.DOCKER_HOST;
  const args = argumentList(['context', 'inspect'], { format: '{{.Endpoints.docker.Host}}' });
  const { exitCode, stdout } = await runDocker(args, start);
  // Without a client, or with one that does not know the context, only its name can be said.
  return (exitCode === 0 && stdout.trim()) || (whichEngine(start.env) ?? usualEndpoint);
}
