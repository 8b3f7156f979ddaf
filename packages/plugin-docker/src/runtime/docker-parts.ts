import type { Clock } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';

/** What the docker runtime is made of. */
export interface DockerParts {
  readonly client: DockerClient;
  readonly clock: Clock;
  /** Bytes that should be free; said when a build runs out of space. */
  readonly diskSpaceThreshold: number;
}
