import * as z from 'zod';

const ok = () => z.boolean().nullable();
const latencyMs = () => z.number().nullable();

/** The schema of one line of the connectivity matrix. What could not be told is null. */
export const connectionSchema = () =>
  z.object({
    from: z.string(),
    to: z.string(),
    /** The name that was used. */
    host: z.string(),
    /** The port that told; null when no port is known. */
    port: z.number().nullable(),
    dns: z.object({ ok: ok(), latencyMs: latencyMs(), addresses: z.array(z.string()) }),
    tcp: z.object({ ok: ok(), latencyMs: latencyMs() }).nullable(),
    status: z.enum(['reachable', 'unreachable', 'unknown']),
    /** Why it is not reachable, in one word. */
    reason: z.string().optional(),
    /** How it was tried: `inside`, `beside`, `companion`, `this machine`. */
    via: z.string().nullable(),
  });

/** One line of the connectivity matrix. */
export type Connection = z.output<ReturnType<typeof connectionSchema>>;
