import { writeSync } from 'node:fs';
import type { StructuredError } from '@argusai/core';

/** Says on stderr what went wrong, its code and what to do next, as the command line does. */
export function tellError({ message, code }: Pick<StructuredError, 'message' | 'code'>, next: string): void {
  writeSync(2, `error: ${message}\ncode: ${code}\nnext: ${next}\n`);
}
