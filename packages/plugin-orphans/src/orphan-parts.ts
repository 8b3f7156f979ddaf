import type { OwnerLookup, PluginContext, RunOwner, Runtime } from '@argusai/core';

/** What the plugin works with. */
export interface OrphanParts
  extends Pick<PluginContext, 'project' | 'store' | 'runtimes' | 'clock' | 'events' | 'hooks'> {
  /** The runtimes that can have something of the project; the others are not asked. */
  readonly needed: () => Promise<readonly Runtime[]>;
  /** How to find out whether the process that owns a run still lives. */
  readonly lookUp: OwnerLookup;
  /** This process, which becomes the owner of the runs that it clears away. */
  readonly owner: () => Promise<RunOwner>;
  /** How old something foreign must be to be removed by name, in milliseconds. */
  readonly maxAgeMs: number;
  /** Whether a setup of this project removes what it finds. */
  readonly setupCleans: boolean;
  /** How long a process may take to stop by itself, in milliseconds. */
  readonly stopTimeoutMs: number;
}
