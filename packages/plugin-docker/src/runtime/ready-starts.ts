import type { Clock } from '@argusai/core';
import { type EngineLine, LineInUse } from '../client/dial-engine.js';
import type { DockerClient } from '../client/docker-client.js';

/** How long the engine may take over a start before it is asked in the ordinary way, which finds out what is the matter. */
const limitMs = 10_000;

/** Started, or found to be running already. */
const done = [204, 304];

/**
 * Starts containers that have ended without first starting a client, over a line that is kept open while their run is watched.
 * Docker's own restart policy has no client to start either, and whoever guards is to be no later than that.
 */
export class ReadyStarts {
  readonly #client: Pick<DockerClient, 'dial'>;
  readonly #clock: Clock;
  #line: Promise<EngineLine> | undefined;

  constructor({ client, clock }: { client: Pick<DockerClient, 'dial'>; clock: Clock }) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Is ready for as long as somebody reads these events. */
  async *during<Event>(events: AsyncIterable<Event>, signal: AbortSignal): AsyncGenerator<Event> {
    if (signal.aborted) return;
    const over = new AbortController();
    this.#line = this.#client.dial(over.signal);
    // Whoever wants to use it is told.
    this.#line.catch(() => undefined);
    try {
      yield* events;
    } finally {
      over.abort();
      this.#line = undefined;
    }
  }

  /** Whether the container was started. If not, nothing is said about why: the ordinary way is still open, and tells. */
  async start(id: string, signal: AbortSignal): Promise<boolean> {
    const line = this.#line;
    if (line === undefined) return false;
    const limit = new AbortController();
    const cancel = this.#clock.after(limitMs, () => limit.abort());
    try {
      const { post } = await line;
      const path = `/containers/${id}/start`;
      return done.includes((await post(path, AbortSignal.any([signal, limit.signal]))).status);
    } catch (thrown) {
      // The line is gone, and whoever reads the events finds out the same: with their stream comes the next line.
      if (!(thrown instanceof LineInUse)) this.#line = undefined;
      return false;
    } finally {
      cancel();
    }
  }
}
