import {
  argumentList,
  type CheckOutcome,
  circuitOpen,
  defineChecker,
  formatDuration,
  isArgusError,
  isErrorOf,
} from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { DockerNeed } from '../docker-need.js';
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
  /** What the project needs Docker for. */
  readonly need: () => Promise<DockerNeed>;
  /** How long the daemon may take for a simple question, in milliseconds. */
  readonly timeoutMs: number;
}

/** Makes `docker.daemon`: the daemon is there, lets us in and answers in time. */
export function daemonChecker({ client, need, timeoutMs }: CheckerParts) {
  return defineChecker({
    name: 'docker.daemon',
    description: 'The Docker daemon answers',
    codes: [dockerUnavailable, circuitOpen],
    timeoutMs: timeoutMs + spareMs,
    async check({ pass, warn, fail, skip, signal, clock }): Promise<CheckOutcome> {
      const needed = await need();
      if (needed.for === 'nothing') return skip(needed.why);
      // What a run left there can wait; nothing that is configured needs it.
      const complain = needed.for === 'runs' ? warn : fail;
      try {
        const answer = await client.run(argumentList(['version'], { format: '{{json .Server}}' }), {
          signal,
          timeoutMs,
        });
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
        if (isErrorOf(error, dockerUnavailable)) return complain(dockerUnavailable, error);
        if (isErrorOf(error, circuitOpen)) {
          const message = `${unasked(error.details.lastFailureAt, clock.now())}: ${error.message}`;
          return complain(circuitOpen, { ...error, message });
        }
        throw thrown;
      }
    },
  });
}

/** Nobody must take what was found some time ago for what is the case now. */
function unasked(lastAt: number | null, now: number): string {
  const last = lastAt === null ? '' : `, and last ${formatDuration(Math.max(0, now - lastAt))} ago`;
  return `The engine was not asked now${last}`;
}
