import { printableJson } from '@argusai/core';
import type { ProgramFormat } from './program-format.js';

/** Each event on a line of its own when it happens, and at last the envelope. */
export const ndjson: ProgramFormat = {
  event: (event) => `${printableJson(event)}\n`,
  result: ({ envelope }) => ({ text: `${printableJson({ type: 'result', ...envelope })}\n` }),
};
