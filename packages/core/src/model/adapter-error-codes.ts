import * as z from 'zod';
import { defineErrorCode } from './error-code.js';

// What adapters raise, and no plugin. An adapter registers nothing; these are declared here so that `explain` and the pages know
// them whichever adapter is asked.

/** What would be done cannot be taken back, and nobody has agreed to it. */
export const confirmationRequired = defineErrorCode({
  code: 'CONFIRMATION_REQUIRED',
  category: 'system',
  severity: 'recoverable',
  summary: 'This needs the consent of a person',
  causes: [
    'A tool that can remove what cannot be had back was called without confirm, or without the hash of what was shown.',
    'The person who was asked has declined.',
  ],
  handling: 'It touches nothing.',
  remedy:
    'Look at what would be done, with dryRun or plan-recovery; then agree when you are asked. An agent that cannot ask through its client asks you in words, and after your yes calls it again with confirm and the hash of what you were shown.',
  details: () =>
    z.object({
      operation: z.string().describe('What was asked for'),
      declined: z.boolean().describe('Somebody was asked and did not agree'),
    }),
});

/** Work was asked for in a folder that this server must keep out of. */
export const projectRefused = defineErrorCode({
  code: 'PROJECT_REFUSED',
  category: 'system',
  severity: 'fatal',
  summary: 'This folder is none that the server may work in',
  causes: [
    'The folder lies outside the project that the server was started for, perhaps behind a symbolic link.',
    'Its configuration lies above that project: it is looked for up to the root of the repository.',
    'It does not exist, or it is the root or a home folder, which is never a project.',
  ],
  handling: 'It runs and touches nothing there.',
  remedy: 'Start the server with --project or ARGUS_PROJECT_DIR for the folder, or allow it with --allow.',
  details: () =>
    z.object({
      folder: z.string().describe('The folder that was asked for'),
      allowed: z.array(z.string()).describe('The folders that the server may work in'),
    }),
});

/** The file of a host that starts MCP servers was not changed, because something in it could be lost. */
export const hostFileKept = defineErrorCode({
  code: 'HOST_FILE_KEPT',
  category: 'system',
  severity: 'recoverable',
  summary: 'The file of the host was left as it is',
  causes: [
    'The file is no plain JSON: it has comments, a mistake, or another shape than the host wants.',
    'It has something that would not be the same after it is written again, such as a key that is there twice.',
    'It has an entry for argus that somebody has changed.',
    'A symbolic link leads from it to a place outside of the project.',
  ],
  handling: 'It touches nothing, and prints what has to be in the file.',
  remedy: 'Put what argus mcp install prints into the file yourself.',
  details: () =>
    z.object({
      file: z.string().describe('The file'),
      real: z.string().optional().describe('Where it really lies, when that is elsewhere'),
      reason: z
        .enum(['not-json', 'other-shape', 'would-lose', 'other-entry', 'outside'])
        .describe('Why it was left'),
    }),
});

/** The file of a host could not be read or written. */
export const hostFileUnwritable = defineErrorCode({
  code: 'HOST_FILE_UNWRITABLE',
  category: 'system',
  severity: 'recoverable',
  summary: 'The file of the host could not be read or written',
  causes: ['The file or its folder may not be read or written by this user, or its disk is full.'],
  handling: 'The file stays as it was, and what has to be in it is printed.',
  remedy: 'Make the file and its folder writable, or put what argus mcp install prints into it yourself.',
  details: () =>
    z.object({
      file: z.string().describe('The file'),
      reason: z.string().describe('What the system says'),
    }),
});

/** Code of a plugin has blocked the process that it runs in. */
export const pluginBlocked = defineErrorCode({
  code: 'PLUGIN_BLOCKED',
  category: 'system',
  severity: 'fatal',
  summary: 'Code of a plugin held everything up',
  causes: [
    'A plugin, or a configuration that is code, has a loop that never ends or waits without giving way.',
    'It waits for a command or a file in a way that holds up the whole process, such as execSync.',
  ],
  handling:
    'The command line ends what blocks after 10 s, at the --timeout of a check, or when a signal comes, tells what else it has found, and ends. The MCP server ends the process that the code runs in, answers the calls that were under way with this code and says what they have left half done, and has a new process for the next call.',
  remedy:
    'Mend the code at the place that the details name: what waits must give way, with await and an end in time. Until then leave the check out, or the plugin.',
  suggestedActions: ['plugins'],
  details: () =>
    z.object({
      plugin: z.string().nullable().describe('Whose code it is, where that could be told'),
      checks: z.array(z.string()).describe('Its checks that were at work'),
      where: z.string().nullable().describe('The file and line at which it stood still'),
    }),
});

/** What a command printed could not be written. */
export const outputUnwritable = defineErrorCode({
  code: 'OUTPUT_UNWRITABLE',
  category: 'system',
  severity: 'fatal',
  summary: 'What was printed could not be written',
  causes: ['The disk is full that the output is sent to, or it broke.'],
  handling: 'What the command did stays done; only the words about it are lost, and the exit code is not 0.',
  remedy: 'Make room where the output goes, or send it elsewhere, and try again.',
});

/** Every code that adapters raise. */
export const adapterErrorCodes = [
  confirmationRequired,
  projectRefused,
  hostFileKept,
  hostFileUnwritable,
  outputUnwritable,
  pluginBlocked,
];
