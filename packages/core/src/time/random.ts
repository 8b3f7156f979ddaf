/** Where all chance comes from: a number from 0 up to, but not including, 1. */
export type Random = () => number;

/** The machine's own randomness. Good for jitter and names, not for secrets. */
export const systemRandom: Random = () => Math.random();
