import type { StructuredError } from '../../model/error-code.js';

/** What a run can leave behind. */
export type ResourceType = 'container' | 'network' | 'volume' | 'process';

/** One thing that a run has made, as its labels or its record tell. */
export interface Resource {
  /** The runtime that made it and can remove it. */
  readonly runtime: string;
  readonly type: ResourceType;
  /** What the runtime knows it by. */
  readonly id: string;
  /** What people know it by. */
  readonly name: string;
  readonly project: string;
  readonly runId: string;
  /** The store that has the run's record. */
  readonly store: string;
  readonly worktree: string;
  /** The service it belongs to; networks and volumes belong to the run. */
  readonly service?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** What became of the removal of one resource. */
export type Removal =
  | {
      readonly resource: Resource;
      readonly removed: true;
      /** It was given the time to stop, did not, and was killed. */
      readonly killed?: true | undefined;
    }
  | { readonly resource: Resource; readonly removed: false; readonly error: StructuredError };
