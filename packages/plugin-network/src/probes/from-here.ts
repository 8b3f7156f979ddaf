import type { Probe } from './probe.js';
import { reach } from './reach.js';

/** How long a proxy takes at most to find out that nobody is behind it. */
const holdMs = 100;

/** Makes the probe for what runs as a process of this machine. */
export function probeFromHere(timeoutMs: number): Probe {
  return (attempts, signal) => {
    signal.throwIfAborted();
    return reach({ attempts, timeoutMs, holdMs }, signal).then((seen) => {
      // What was broken off looks like what nobody answered.
      signal.throwIfAborted();
      return seen;
    });
  };
}
