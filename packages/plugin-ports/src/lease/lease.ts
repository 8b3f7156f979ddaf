import type { Json, PortKey, RunOwner, StoredDocument } from '@argusai/core';
import * as z from 'zod';

/** Where leases are kept, each port under its key. */
export const leasesNamespace = 'port-leases';

const lease = z.lazy(() =>
  z.object({
    runId: z.string(),
    project: z.string(),
    worktree: z.string(),
    owner: z.object({
      host: z.string(),
      pid: z.number(),
      startedAt: z.string(),
    }) satisfies z.ZodType<RunOwner>,
    service: z.string(),
    /** The port that the service asked for, and what it is for: these tell which of its wishes this was. */
    wished: z.number(),
    container: z.number(),
    /** A plain address. */
    address: z.string(),
    /** Until when it counts without a record of its run, in milliseconds since the epoch. */
    expiresAt: z.number(),
  }),
);

/** A run's right to a port. */
export type Lease = z.output<typeof lease>;

/** The leases of one port: several, where several runs bind it on addresses that do not meet. */
export interface PortLeases {
  readonly key: PortKey;
  readonly leases: readonly Lease[];
  /** How many more are stored that belong to runs that are over. */
  readonly dead: number;
  /** What a write is conditional on. */
  readonly ifRevision: number | 'absent';
}

const document = z.lazy(() => z.object({ leases: z.array(lease) }));

/** The value that is stored. */
export function toDocument(leases: readonly Lease[]): Json {
  return { leases: leases.map((one) => ({ ...one })) };
}

/** Reads a stored document; one that is not there, or that nobody can read, has no leases. */
export function fromDocument(key: PortKey, stored: StoredDocument | undefined): PortLeases {
  const parsed = document.safeParse(stored?.value);
  const leases = parsed.success ? parsed.data.leases : [];
  return { key, leases, dead: 0, ifRevision: stored?.revision ?? 'absent' };
}
