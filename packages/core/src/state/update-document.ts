import { setImmediate } from 'node:timers/promises';
import { ArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import type { Json } from '../model/json.js';
import type { StateStore, StoredDocument } from './state-store.js';

// Someone wins every round, so only a store that lies about revisions comes anywhere near this.
const maxAttempts = 10_000;

/**
 * Changes a document on the basis of what it is, without losing what others write at the same time: `change` is
 * called again whenever someone else was faster. `undefined` from it means to leave the document as it is.
 * Returns the document that now stands.
 */
export async function updateDocument(
  store: StateStore,
  namespace: string,
  key: string,
  change: (current: Json | undefined) => Json | undefined,
): Promise<StoredDocument | undefined> {
  let current = await store.get(namespace, key);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const value = change(current?.value);
    if (value === undefined) return current;
    const ifRevision = current?.revision ?? 'absent';
    const result = await store.put(namespace, key, value, { ifRevision });
    if (result.stored) {
      const { revision, updatedAt } = result;
      return { namespace, key, value, revision, updatedAt };
    }
    current = result.current;
    // A driver may answer without ever leaving the microtask queue; timers and sockets must get their turn.
    await setImmediate();
  }
  throw new ArgusError(storeUnavailable, {
    message: `${namespace}/${key} was changed by others ${maxAttempts} times in a row while it was being updated`,
    details: { store: await store.id(), reason: 'busy' },
  });
}
