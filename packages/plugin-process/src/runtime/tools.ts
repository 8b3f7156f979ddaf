import type { Clock } from '@argusai/core';
import type { ProcessRecords } from '../records/process-records.js';

/** What every part of the runtime works with. */
export interface Tools {
  readonly records: ProcessRecords;
  readonly clock: Clock;
  /** How much output is kept of each service. */
  readonly output: { readonly size: number; readonly files: number };
  /** Bytes that should be free; said when there is no room for what is kept. */
  readonly diskSpaceThreshold: number;
}
