import type { ServiceState } from '../environment/runtime.js';
import { pause } from '../time/pause.js';
import type { Guarded, Watch } from './guarded.js';

const waits = { first: 250, longest: 5_000 };

/** How a service is. While its runtime cannot say, as when an engine restarts, it asks again. */
export async function lookUntilSeen(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<ServiceState> {
  for (let wait = waits.first; ; wait = Math.min(wait * 2, waits.longest)) {
    try {
      const state = await watch.look(guarded.service);
      signal.throwIfAborted();
      guarded.see(state);
      if (state.ports && guarded.note.ports.some(({ host }) => host === null))
        watch.ports.learn(guarded.name, state.ports);
      return state;
    } catch {
      // That it could not be looked at says nothing about the service.
      await pause(watch.kernel.clock, wait, signal);
    }
  }
}
