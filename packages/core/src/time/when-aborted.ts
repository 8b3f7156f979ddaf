/** Who waits for a signal, and how Node lets go of it. */
interface Waiting {
  readonly acts: Set<() => void>;
  readonly leave: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Has something done when a signal aborts, unless it has already. Gives what lets go of it. However many wait, Node sees one
 * listener: from the eleventh on it would warn of a leak, and as many wait as there are services.
 */
export function whenAborted(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined || signal.aborted) return () => undefined;
  const { acts, leave } = waitingFor.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => {
    if (acts.delete(act) && acts.size === 0) leave();
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const acts = new Set<() => void>();
  const onAbort = () => {
    const thrown: unknown[] = [];
    for (const act of acts) {
      try {
        act();
      } catch (error) {
        thrown.push(error);
      }
    }
    // Told as Node tells what a listener throws, when all others have been heard.
    if (thrown.length > 0)
      queueMicrotask(() => {
        throw thrown[0];
      });
  };
  const leave = () => {
    signal.removeEventListener('abort', onAbort);
    waitingFor.delete(signal);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const waiting = { acts, leave };
  waitingFor.set(signal, waiting);
  return waiting;
}
