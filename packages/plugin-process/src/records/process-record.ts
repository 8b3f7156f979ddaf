import * as z from 'zod';

const mapping = z.lazy(() =>
  z.object({
    host: z.number().nullable(),
    container: z.number(),
    ip: z.string().nullable(),
    protocol: z.enum(['tcp', 'udp']),
  }),
);

/** What is known of a service that was started as a process, from before it was started until it is removed. */
export const processRecord = z.lazy(() =>
  z.object({
    project: z.string(),
    runId: z.string(),
    /** The store that has the run's record. */
    store: z.string(),
    worktree: z.string(),
    /** The machine it runs on; nowhere else do its process numbers mean anything. */
    host: z.string(),
    service: z.string(),
    /** The hash of what it was started from. */
    spec: z.string(),
    oneShot: z.boolean(),
    /** The folder with its output and with what its keeper knows. */
    dir: z.string(),
    ports: z.array(mapping),
    /** Milliseconds since the epoch. */
    createdAt: z.number(),
  }),
);

/** What is known of a service that was started as a process, from before it was started until it is removed. */
export type ProcessRecord = z.infer<typeof processRecord>;

/** What a record is found by. */
export function recordId({ runId, service }: Pick<ProcessRecord, 'runId' | 'service'>): string {
  return `${runId}/${service}`;
}
