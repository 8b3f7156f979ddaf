import type { Kernel } from '../kernel/kernel.js';

/** What a fault is told. */
export interface FaultRequest {
  /** The service or mock that is meant. */
  readonly service?: string;
  /** How many bytes it may write. */
  readonly size: number;
  /** For how many milliseconds, where somebody has said so. */
  readonly forMs?: number;
  readonly signal: AbortSignal;
}

/** A fault that has been done. */
export interface Harm {
  /** What was harmed, as `service:web` or `port:8080`. */
  readonly target: string;
  /** What was done, in one line. */
  readonly message: string;
  /** How long it is to last, in milliseconds, where nobody has said so. */
  readonly lastsMs?: number;
  /** Whether somebody has put another in the place of what was harmed, so that there is nothing to wait for any more. */
  isReplaced?(signal: AbortSignal): Promise<boolean>;
  /** Takes it back. Left out where it does not last. `replaced`: somebody has put another in the place of what was harmed. */
  undo?(): Promise<void> | Promise<'replaced' | undefined>;
}

/** Something that people may break on purpose, to see what comes of it. It harms only what belongs to their own run. */
export interface Fault {
  /** In kebab case: `kill-service`. */
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Whether it lasts, so that it is taken back when the time is up. */
  readonly lasts: boolean;
  /** The code that argus should report it with. */
  readonly expect: string;
  inject(kernel: Kernel, request: FaultRequest): Promise<Harm>;
}
