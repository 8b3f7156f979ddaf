import type { Fault } from '../scenario.js';

/** The service runs and never becomes well. */
export const neverWell: Fault = {
  name: 'keeps a service from becoming well',
  break: (world) => world.write('unwell'),
};
