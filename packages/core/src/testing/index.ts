// The testing kit of @argusai/core. It imports vitest, so it is for tests only.
export {
  buildKernel,
  checking,
  type Registrations,
  registering,
  type TestKernel,
} from './build-kernel.js';
export { createSimulatedClock, type SimulatedClock } from './simulated-clock.js';
