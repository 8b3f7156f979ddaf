import type { CallOptions, Circuit, CircuitOperation } from './circuit.js';
import type { CircuitBreakerState, CircuitReset } from './circuit-state.js';

/** The circuit of a configuration that wants none: every call goes through and nothing is counted. */
export class DisabledCircuit implements Circuit {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  // Async, so that an operation that throws rejects here as it does in a circuit that counts.
  async execute<T>(operation: CircuitOperation<T>, options?: CallOptions): Promise<T> {
    options?.signal?.throwIfAborted();
    return operation(options?.signal);
  }

  async state(): Promise<CircuitBreakerState> {
    return {
      name: this.name,
      state: 'closed',
      failureCount: 0,
      lastFailureTime: null,
      lastStateTransition: null,
      failureHistory: [],
    };
  }

  async isClosed(): Promise<boolean> {
    return true;
  }

  async reset(): Promise<CircuitReset> {
    return {
      previous: 'closed',
      current: 'closed',
      changed: false,
      failureHistory: [],
      message: `Circuit ${this.name} is closed: circuits are disabled by the configuration`,
    };
  }

  async release(): Promise<void> {
    // Nobody takes turns here.
  }
}
