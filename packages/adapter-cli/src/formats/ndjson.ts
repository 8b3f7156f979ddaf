import type { ProgramFormat } from './program-format.js';

/** Each event on a line of its own when it happens, and at last the envelope. */
export const ndjson: ProgramFormat = {
  event: (event) => `${JSON.stringify(event)}\n`,
  result: ({ envelope }) => ({ text: `${JSON.stringify({ type: 'result', ...envelope })}\n` }),
};
