// The testing kit of @argusai/core. It imports vitest, and fast-check for stores, so it is for tests only.
export {
  buildKernel,
  checking,
  type Registrations,
  registering,
  type TestKernel,
} from './build-kernel.js';
export { type CheckerSuite, describeChecker, trialsOfChecker } from './checker-contract.js';
export { describeStateStore } from './describe-state-store.js';
export { complaintsOf } from './describe-trials.js';
export { describePlugin, trialsOfPlugin } from './plugin-contract.js';
export { describeRecoverer, type RecovererSuite, trialsOfRecoverer } from './recoverer-contract.js';
export type { Complaint, Rule, Trial } from './rule.js';
export type { Loading, Scenario, Suite } from './scenario.js';
export type { SharedStore } from './shared-store-contract.js';
export { createSimulatedClock, type SimulatedClock } from './simulated-clock.js';
export type { StateStoreDriver } from './state-store-contract.js';
