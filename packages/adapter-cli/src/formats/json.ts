import type { ProgramFormat } from './program-format.js';

/** One envelope on one line. */
export const json: ProgramFormat = {
  result: ({ envelope }) => ({ text: `${JSON.stringify(envelope)}\n` }),
};
