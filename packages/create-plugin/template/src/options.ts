import * as z from 'zod';

/** What users may configure. Each description shows in their editor and in `argus schema`. */
export const options = z.strictObject({
  file: z.string().default('.env').describe('The settings file that the project needs'),
  example: z.string().default('.env.example').describe('The file that it is made from'),
});

/** The options as the plugin gets them. */
export type Options = z.output<typeof options>;
