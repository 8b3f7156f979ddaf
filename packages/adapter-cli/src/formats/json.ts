import { printableJson } from '@argusai/core';
import type { ProgramFormat } from './program-format.js';

/** One envelope on one line. */
export const json: ProgramFormat = {
  result: ({ envelope }) => ({ text: `${printableJson(envelope)}\n` }),
};
