/** Calls go through, calls are held back, or one call is let through to see whether the thing is back. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** A fault that a circuit has counted. */
export interface CircuitFault {
  /** What went wrong, cut to a bounded length. */
  error: string;
  /** What it was, where it had a code. */
  code?: string;
  /** The reason in its details, where it named one. */
  reason?: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** A circuit as it is reported. */
export interface CircuitBreakerState {
  name: string;
  state: CircuitState;
  /** Consecutive faults up to now. */
  failureCount: number;
  /** Milliseconds since the epoch, or null when no fault is remembered. */
  lastFailureTime: number | null;
  /** Milliseconds since the epoch, or null for a circuit that has always been closed. */
  lastStateTransition: number | null;
  /** The latest faults, oldest first. Successes do not clear it, so that one can still see what happened. */
  failureHistory: CircuitFault[];
}

/** What a manual reset did. */
export interface CircuitReset {
  previous: CircuitState;
  current: CircuitState;
  /** False when there was nothing to reset. */
  changed: boolean;
  failureHistory: CircuitFault[];
  /** The same for people, in one line. */
  message: string;
}
