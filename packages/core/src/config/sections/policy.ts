import * as z from 'zod';
import { duration } from '../duration.js';
import { text } from './text.js';
import { wholeNumber } from './whole-number.js';

const budget = () =>
  z
    .strictObject({
      max: wholeNumber().min(0).default(2).describe('How many repairs one target gets.'),
      per: duration()
        .refine((time) => time > 0, {
          error: 'must be longer than nothing, or no repair would ever be counted',
        })
        .default('1h')
        .describe('The time in which they are counted.'),
    })
    .prefault({})
    .describe('How often the same thing may be repaired.');

const makePolicy = () =>
  z.strictObject({
    autonomy: z
      .enum(['observe', 'cautious', 'moderate', 'full'])
      .default('moderate')
      .describe(
        'What argus may do by itself: observe nothing, cautious what is safe, moderate also what interrupts, full everything.',
      ),
    budget: budget(),
    correlatedFailures: wholeNumber()
      .min(1)
      .default(3)
      .describe('So many targets failing at once are one event of the infrastructure: nothing is restarted.'),
    consecutiveFailures: wholeNumber()
      .min(1)
      .default(3)
      .describe('So many checks in a row must find a problem before argus interrupts anything for it.'),
    exclude: z
      .array(text())
      .prefault([])
      .describe(
        'Targets that are never repaired or restarted: "service:db" in whatever it runs, "container:shop-*", "volume:*"; `*` stands for anything.',
      ),
  });

/** What a configuration without this section has: the defaults above. Most have none, and every start would pay for the schema. */
const withoutSection = (): z.output<ReturnType<typeof makePolicy>> => ({
  autonomy: 'moderate',
  budget: { max: 2, per: 3_600_000 },
  correlatedFailures: 3,
  consecutiveFailures: 3,
  exclude: [],
});

/** The `policy` section: what argus may repair by itself outside an environment. */
export const policySchema = z
  .lazy(makePolicy)
  .default(withoutSection)
  .meta({ description: 'What argus may repair by itself.', default: {} });
