import * as z from 'zod';
import { summariseCode } from '../explain/explain-code.js';
import { explainNamed } from '../explain/explain-named.js';
import { defineOperation } from '../model/operation.js';
import { explanationSchema } from './explanation-schema.js';

/** Explains error codes, and who finds and repairs what they stand for. */
export const explain = defineOperation({
  name: 'explain',
  summary: 'Explain an error code, a checker, a recoverer or an operation',
  description:
    'Says what a code means, what it comes from, what argus does about it and what you can do. Without a name it lists every code ' +
    'that the loaded plugins declare. It changes nothing.',
  guidance:
    'Call it with the code of an error to learn what causes it and what to do, and with no name for ' +
    'the list of all codes.',
  input: z.lazy(() =>
    z.strictObject({
      name: z
        .string()
        .optional()
        .describe('A code such as PORT_CONFLICT, or the name of a checker, recoverer or operation'),
    }),
  ),
  output: z.lazy(() => explanationSchema.unwrap()),
  effects: { readOnly: true, destructive: false, idempotent: true },
  needsConfig: 'or-plugins',
  async run({ name }, { kernel }) {
    if (name !== undefined) return explainNamed(kernel, name);
    return {
      kind: 'codes' as const,
      codes: kernel.errorCodes.values().map((code) => summariseCode(kernel, code)),
    };
  },
});
