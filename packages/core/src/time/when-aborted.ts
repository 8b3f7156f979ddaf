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
    for (const act of acts) act();
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
