/** How long a runtime that does not answer is left alone before it is asked again, in milliseconds: each time longer. */
export const retryWaits = { first: 250, longest: 2_000 };
