import { firstLine } from './first-line.mjs';

/**
 * A contestant that has to be started first. Who cannot be is out, with the reason, and the others go on without it.
 * @param {() => Promise<import('./measure.mjs').Contestant>} start
 * @param {{ signal: AbortSignal, missing?: string | undefined }} known `missing` says why it is not even tried.
 * @returns {Promise<import('./measure.mjs').Contestant>}
 */
export async function contestant(start, { signal, missing }) {
  if (missing !== undefined) return { missing };
  signal.throwIfAborted();
  try {
    return await start();
  } catch (error) {
    signal.throwIfAborted();
    return { missing: `failed: ${firstLine(error)}` };
  }
}
