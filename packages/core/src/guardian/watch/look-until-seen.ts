import type { ServiceState } from '../../environment/runtime.js';
import type { Guarded, Watch } from '../guarded.js';

/** How a service is. While its runtime cannot say, as when an engine restarts, it waits. */
export async function lookUntilSeen(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<ServiceState> {
  for (;;) {
    await guarded.reach.back(signal);
    // That it could not be looked at says nothing about the service.
    const state = await watch.look(guarded.service).catch(() => undefined);
    signal.throwIfAborted();
    if (state === undefined) {
      guarded.reach.lost();
      continue;
    }
    guarded.see(state);
    if (state.ports && guarded.note.ports.some(({ host }) => host === null))
      watch.ports.learn(guarded.name, state.ports);
    return state;
  }
}
