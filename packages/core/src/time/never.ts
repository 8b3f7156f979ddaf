/** A signal that never aborts, for work that nobody cancels. A new one each time: many that listen to one look to Node like a leak. */
export function never(): AbortSignal {
  return new AbortController().signal;
}
