import { type CheckOutcome, circuitOpen, defineChecker, isArgusError, isErrorOf } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { dockerUnavailable } from '../error-codes.js';

/** How long it takes to find out where the daemon should be, and to end a client that waits. */
const spareMs = 2_500;

/** What the daemon says of itself; an engine that only understands Docker's client may leave any of it out. */
interface Server {
  readonly Version?: string;
  readonly ApiVersion?: string;
  readonly Os?: string;
  readonly Arch?: string;
}

/** What the checkers of this plugin work with. */
export interface CheckerParts {
  readonly client: DockerClient;
  /** Why nothing needs to be looked at, when that is so. */
  readonly notNeeded: string | undefined;
  /** How long the daemon may take for a simple question, in milliseconds. */
  readonly timeoutMs: number;
}

/** Makes `docker.daemon`: the daemon is there, lets us in and answers in time. */
export function daemonChecker({ client, notNeeded, timeoutMs }: CheckerParts) {
  return defineChecker({
    name: 'docker.daemon',
    description: 'The Docker daemon answers',
    timeoutMs: timeoutMs + spareMs,
    async check({ pass, fail, skip, signal }): Promise<CheckOutcome> {
      if (notNeeded !== undefined) return skip(notNeeded);
      try {
        const answer = await client.run(['version', '--format', '{{json .Server}}'], { signal, timeoutMs });
        const server: Server = JSON.parse(answer) ?? {};
        const { Version: version = 'of an unknown version', ApiVersion, Os, Arch } = server;
        return pass(`Docker ${version} answers`, {
          details: {
            version,
            ...(ApiVersion && { apiVersion: ApiVersion }),
            ...(Os && Arch && { platform: `${Os}/${Arch}` }),
          },
        });
      } catch (thrown) {
        const error = isArgusError(thrown) ? thrown.error : undefined;
        if (isErrorOf(error, dockerUnavailable)) return fail(dockerUnavailable, error);
        if (isErrorOf(error, circuitOpen)) return fail(circuitOpen, error);
        throw thrown;
      }
    },
  });
}
