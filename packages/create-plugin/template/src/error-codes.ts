import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

/** The settings file is not there. */
export const settingsMissing = defineErrorCode({
  code: '__CODE___SETTINGS_MISSING',
  category: 'system',
  severity: 'recoverable',
  summary: 'The settings file is missing',
  causes: ['The project was cloned a moment ago, and nobody has made the file yet.', 'The file was removed.'],
  remedy: 'Let argus fix copy the example, then fill in what it leaves open.',
  suggestedActions: ['__name__.copy-example'],
  details: () =>
    z.object({
      file: z.string().describe('The file that is missing'),
      example: z.string().describe('The file that it can be made from'),
    }),
});
