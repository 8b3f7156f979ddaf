import * as z from 'zod';
import { property } from '../../model/property.js';
import { duration } from '../duration.js';
import { commandLine } from './command-line.js';
import { always } from './presence.js';
import { text } from './text.js';
import { variables } from './variables.js';

// Made when a configuration first has suites: many have none, and every start would pay for it.
const suite = z.lazy(() =>
  z.strictObject({
    id: text().describe('A short name, unique among the suites.'),
    name: text().optional().describe('A name for people.'),
    command: commandLine().describe("The command that runs it, in the project's folder."),
    environment: variables().describe('Environment variables of the command.'),
    timeout: duration()
      .optional()
      .describe('How long it may take before it is ended; left out, as long as it likes.'),
  }),
);

/** Also runs on suites with other problems, so any of them may be anything. */
function checkIds(suites: readonly unknown[], context: z.core.$RefinementCtx): void {
  const ids = suites.map((one) => property(one, 'id'));
  for (const [index, id] of ids.entries()) {
    if (typeof id !== 'string' || ids.indexOf(id) === index) continue;
    const message = `there is already a suite ${JSON.stringify(id)}`;
    context.addIssue({ code: 'custom', path: [index, 'id'], message });
  }
}

/** The `tests` section. */
export const testsSchema = z
  .strictObject({
    suites: z
      .array(suite)
      .prefault([])
      .superRefine(checkIds, always)
      .describe('The test suites, run one after the other.'),
  })
  .prefault({})
  .describe('How to test what runs in the environment.');
