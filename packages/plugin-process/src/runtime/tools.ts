import type { Clock } from '@argusai/core';
import type { ProcessRecords } from '../records/process-records.js';
import type { Keepers } from '../system/keepers.js';
import type { MarkedServices } from '../system/marked-services.js';

/** What every part of the runtime works with. */
export interface Tools {
  readonly records: ProcessRecords;
  readonly clock: Clock;
  readonly keepers: Keepers;
  /** What runs in a folder by what its processes carry; left out where nobody asks for what others have. */
  readonly marked?: MarkedServices;
  /** The folder of the project. */
  readonly folder?: string;
  /** How much output is kept of each service. */
  readonly output: { readonly size: number; readonly files: number };
  /** Bytes that should be free; said when there is no room for what is kept. */
  readonly diskSpaceThreshold: number;
}
