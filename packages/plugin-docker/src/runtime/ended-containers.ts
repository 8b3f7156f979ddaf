import type { RunIdentity, RuntimeEvent, ServiceState } from '@argusai/core';

/**
 * The containers that were last seen to have ended. One that is to be started again can then be started by its id, which
 * takes one call to the engine and not three.
 */
export class EndedContainers {
  readonly #seen = new Map<string, { readonly id: string; readonly spec: string }>();

  /** Takes note of a look at services of a run. */
  note(run: Pick<RunIdentity, 'id'>, states: readonly ServiceState[]): void {
    for (const { service, status, id, spec } of states) {
      const key = keyOf(run, service);
      if (status === 'exited' && id !== undefined && spec !== undefined) this.#seen.set(key, { id, spec });
      else this.#seen.delete(key);
    }
  }

  /** Takes note of what is told of a run, and passes it on. */
  async *hear(
    run: Pick<RunIdentity, 'id'>,
    events: AsyncIterable<RuntimeEvent>,
  ): AsyncGenerator<RuntimeEvent> {
    for await (const event of events) {
      const { type, service, id, spec } = event;
      const known = { ...(id === undefined ? {} : { id }), ...(spec === undefined ? {} : { spec }) };
      if (type === 'exited') this.note(run, [{ service, status: 'exited', ...known }]);
      if (type === 'started' || type === 'removed') this.note(run, [{ service, status: 'missing' }]);
      yield event;
    }
  }

  /** The id of a service's container that has ended and was made from this spec. It is given once. */
  take(run: Pick<RunIdentity, 'id'>, service: string, spec: string): string | undefined {
    const key = keyOf(run, service);
    const found = this.#seen.get(key);
    this.#seen.delete(key);
    return found?.spec === spec ? found.id : undefined;
  }
}

function keyOf({ id }: Pick<RunIdentity, 'id'>, service: string): string {
  return `${id} ${service}`;
}
