import { type ArgusError, blame, blockedError, type CodeAtWork } from '@argusai/core';
import type { Standstill } from './standstill.js';

/** The error of what stood still: whose code it was, what it was at, and where. */
export function heldUp({ frames, forMs }: Standstill, code: CodeAtWork): ArgusError {
  return blockedError(blame(frames, code, import.meta.dirname), forMs, ' and was ended');
}
