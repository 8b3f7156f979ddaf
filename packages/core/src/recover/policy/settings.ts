import type * as z from 'zod';
import type { policySchema } from '../../config/sections/policy.js';

/** The section `policy` of the configuration: how much argus may do by itself. */
export type PolicySettings = Readonly<z.output<typeof policySchema>>;

/** How much argus may do by itself, from only looking to everything. */
export type Autonomy = PolicySettings['autonomy'];

/** So many repairs of one target in any window of so many milliseconds. */
export type BudgetLimit = Readonly<PolicySettings['budget']>;
