import * as z from 'zod';
import { duration } from '../duration.js';
import { size } from '../size.js';
import { wholeNumber } from './whole-number.js';

const preflight = () =>
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Check the machine before a setup or a build, and stop if unhealthy.'),
      diskSpaceThreshold: size().default('2GB').describe('How much disk space must be free.'),
      cleanOrphans: z.boolean().default(true).describe('Remove what dead runs left behind before a setup.'),
    })
    .prefault({})
    .describe('The check before anything is started.');

const stormLimit = () =>
  z
    .strictObject({
      max: wholeNumber().min(0).default(10).describe('How many restarts one service gets.'),
      per: duration()
        .refine((time) => time > 0, {
          error: 'must be longer than nothing, or no restart would ever be counted',
        })
        .default('1h')
        .describe('The time in which they are counted.'),
    })
    .prefault({})
    .describe('How often a service may be restarted in all, however often it recovers in between.');

const container = () =>
  z
    .strictObject({
      restartOnFailure: z
        .boolean()
        .default(true)
        .describe('Restart a service that crashed or became unhealthy.'),
      maxRestarts: wholeNumber()
        .min(0)
        .max(10)
        .default(3)
        .describe('How many restarts a failing service gets in a row before argus gives up.'),
      restartDelay: duration().default('2s').describe('How long to wait before the first restart.'),
      restartBackoff: z
        .enum(['exponential', 'linear'])
        .default('exponential')
        .describe('How the delay grows from restart to restart: doubled, or by the same amount.'),
      maxRestartDelay: duration().default('60s').describe('The longest delay before a restart.'),
      restartJitter: z
        .number()
        .min(0)
        .max(1)
        .default(0)
        .describe('Up to which share of itself a delay is shortened at random; 0 turns that off.'),
      stabilityWindow: duration()
        .default('10s')
        .describe('How long a restarted service must stay healthy to count as recovered.'),
      stormLimit: stormLimit(),
    })
    .prefault({})
    .describe('What happens when a service of the environment fails, be it a container or a process.');

const network = () =>
  z
    .strictObject({
      portConflictStrategy: z
        .enum(['auto', 'fail'])
        .default('auto')
        .describe('When a port is taken: use another one, or fail.'),
      verifyConnectivity: z
        .boolean()
        .default(true)
        .describe('After a setup, check that the services reach each other.'),
    })
    .prefault({})
    .describe('Ports and connections of the environment.');

const circuitBreaker = () =>
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Stop calling what is down instead of waiting for it every time.'),
      failureThreshold: wholeNumber()
        .min(1)
        .max(20)
        .default(5)
        .describe('How many failures in a row open a circuit.'),
      resetTimeoutMs: z
        .number()
        .min(0)
        .default(30_000)
        .describe('Milliseconds after which an open circuit lets one call through to see.'),
    })
    .prefault({})
    .describe('Circuits around things that can be down, such as the Docker engine.');

const makeResilience = () =>
  z.strictObject({
    preflight: preflight(),
    container: container(),
    network: network(),
    circuitBreaker: circuitBreaker(),
  });

/** What a configuration without this section has: the defaults above. Most have none, and every start would pay for the schema. */
const withoutSection = (): z.output<ReturnType<typeof makeResilience>> => ({
  preflight: { enabled: true, diskSpaceThreshold: 2_000_000_000, cleanOrphans: true },
  container: {
    restartOnFailure: true,
    maxRestarts: 3,
    restartDelay: 2_000,
    restartBackoff: 'exponential',
    maxRestartDelay: 60_000,
    restartJitter: 0,
    stabilityWindow: 10_000,
    stormLimit: { max: 10, per: 3_600_000 },
  },
  network: { portConflictStrategy: 'auto', verifyConnectivity: true },
  circuitBreaker: { enabled: true, failureThreshold: 5, resetTimeoutMs: 30_000 },
});

/** The `resilience` section. Everything in it is on unless it is turned off. */
export const resilienceSchema = z
  .lazy(makeResilience)
  .default(withoutSection)
  .meta({ description: 'How argus prevents and repairs failures of the environment.', default: {} });
