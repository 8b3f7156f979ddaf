import * as z from 'zod';
import { defineErrorCode } from './error-code.js';

const problem = () =>
  z.object({
    path: z.string(),
    message: z.string(),
    value: z.json().optional(),
    expected: z.string().optional(),
    suggestion: z.string().optional(),
    line: z.number().optional(),
  });

/** The configuration cannot be used; `details.problems` lists everything that is wrong with it. */
export const configInvalid = defineErrorCode({
  code: 'CONFIG_INVALID',
  category: 'system',
  severity: 'fatal',
  summary: 'The configuration is not valid',
  causes: [
    'A key is unknown, a value does not fit, or a {{…}} stands for nothing.',
    'A plugin that the configuration names is not installed, or its options do not fit.',
    'The file cannot be read, or is not valid YAML, JSON or JavaScript.',
  ],
  remedy: 'Correct the lines that the problems name; argus schema prints what is allowed.',
  suggestedActions: ['schema'],
  details: () =>
    z.object({
      file: z.string().nullable().describe('The configuration file, if there is one'),
      problems: z.array(problem()).describe('Everything that is wrong, each with its path, message and line'),
    }),
});

/** A folder has more than one configuration, of which one is read. */
export const configPassedOver = defineErrorCode({
  code: 'CONFIG_PASSED_OVER',
  category: 'system',
  severity: 'warning',
  summary: 'Another configuration in the same folder is not read',
  causes: ['The folder has more than one configuration, and the first by name is the one that counts.'],
  remedy: 'Remove the one that is not meant, or name the one that is with --config.',
  suggestedActions: ['config'],
  details: () =>
    z.object({
      file: z.string().describe('The configuration that is read'),
      passedOver: z.array(z.string()).describe('Those that are not'),
    }),
});

/** There is a configuration already, and it is not written over. */
export const configExists = defineErrorCode({
  code: 'CONFIG_EXISTS',
  category: 'system',
  severity: 'fatal',
  summary: 'There is a configuration already',
  causes: ['The folder has a configuration already, and argus init never writes over one.'],
  remedy: 'Edit the configuration that is there, or remove it and ask again.',
  suggestedActions: ['preflight-check'],
  details: () => z.object({ file: z.string().describe('The configuration that is there') }),
});

/** What lies in a folder is not run: others could have put it there, or nobody has agreed to it. */
export const folderUntrusted = defineErrorCode({
  code: 'FOLDER_UNTRUSTED',
  category: 'system',
  severity: 'fatal',
  summary: 'What lies in this folder is not run without the consent of a person',
  causes: [
    'The configuration, a plugin, or a folder above it belongs to another user.',
    'Others may write one of them, so anybody could have put there what would be run.',
    'An agent has named a folder in which no person has run argus yet.',
  ],
  handling: 'It reads no configuration there, loads no plugin of it and runs nothing.',
  remedy:
    'If you trust whoever may write there, type argus trust DIR, or name the folder in ARGUS_TRUST where nobody can type, as in CI.',
  remedies: {
    writable:
      'Take the right to write from the others (chmod o-w, or g-w); or, if you trust them, type argus trust DIR or name the folder in ARGUS_TRUST.',
    unasked: 'Look at what lies there; then type argus check in that folder, or argus trust DIR.',
  },
  details: () =>
    z.object({
      folder: z.string().describe('The folder that would have to be trusted'),
      reason: z
        .enum(['owner', 'writable', 'unasked'])
        .describe('Another user owns it, others may write it, or nobody has agreed to it yet'),
      file: z.string().optional().describe('What would have been used'),
      path: z.string().optional().describe('The part of its path that is to blame'),
      owner: z.number().optional().describe('The number of the user who owns that part'),
      mode: z.string().optional().describe('Who may do what with it, in octal digits'),
    }),
});

/** The configuration could not be written. */
export const configUnwritable = defineErrorCode({
  code: 'CONFIG_UNWRITABLE',
  category: 'system',
  severity: 'fatal',
  summary: 'The configuration could not be written',
  causes: ['The folder may not be written by this user, or its disk is full.'],
  remedy:
    'Make the folder writable, or print the configuration with argus init --dry-run and save it yourself.',
  suggestedActions: ['init'],
  details: () =>
    z.object({
      file: z.string().describe('What could not be written'),
      reason: z.string().describe('What the system says'),
    }),
});

/** A plugin could not be found, loaded or applied, or registered something impossible. */
export const pluginInvalid = defineErrorCode({
  code: 'PLUGIN_INVALID',
  category: 'system',
  severity: 'fatal',
  summary: 'A plugin cannot be used',
  causes: [
    'A plugin throws when it is applied.',
    'It registers something with a wrong name, or twice, or that another plugin has.',
    'What it registers lacks a part, or has a mistyped one.',
    'It names a checker or an action of its own that does not exist.',
  ],
  remedy: 'Correct the plugin, or take it out of the configuration.',
  details: () =>
    z.object({
      plugin: z.string().describe('The name of the plugin'),
      problems: z.array(z.string()).describe('Everything that is wrong with it'),
    }),
});

/** An operation of a plugin gave what the schema of its output does not allow. */
export const outputInvalid = defineErrorCode({
  code: 'OUTPUT_INVALID',
  category: 'system',
  severity: 'fatal',
  summary: 'An operation of a plugin gave something else than it promises',
  causes: ['The plugin has a mistake: what its operation returns does not fit the schema of its output.'],
  handling:
    'The answer is kept back, because programs and agents go by the schema. What the operation did is done.',
  remedy: 'Tell the author of the plugin, or correct it.',
  details: () =>
    z.object({
      operation: z.string().describe('The operation'),
      plugin: z.string().describe('The plugin that the operation comes from'),
      problems: z.array(z.string()).describe('Where the answer does not fit, and why'),
    }),
});

/** A plugin is made for another release of core than the one that would load it. */
export const pluginIncompatible = defineErrorCode({
  code: 'PLUGIN_INCOMPATIBLE',
  category: 'system',
  severity: 'fatal',
  summary: 'A plugin is made for another version of argus',
  causes: [
    'Its package.json asks for another major of @argusai/core, as its peer dependency (before 1.0.0 another minor is another major).',
    'What its package.json asks for is no range of versions, so it cannot be told which @argusai/core it is made for.',
    'It was made by another major of @argusai/core, which lies beside it, than the one that argus has.',
  ],
  handling: 'It does not load the plugin, and runs nothing without it.',
  remedy: 'Install the version of the plugin that is made for this argus, or the argus that it is made for.',
  details: () =>
    z.object({
      file: z.string().nullable().describe('The configuration that names the plugin, if there is one'),
      core: z.string().describe('The version of @argusai/core that argus has'),
      problems: z.array(problem()).describe('Every such plugin, each with its place and what it asks for'),
    }),
});

/** The caller asked for something that does not exist or gave input that does not fit. */
export const usageInvalid = defineErrorCode({
  code: 'USAGE_INVALID',
  category: 'system',
  severity: 'fatal',
  summary: 'The request is not valid',
  causes: [
    'The command, the option or the name does not exist.',
    'A value does not fit, or one that is needed is missing.',
    'There is nothing to work on, such as no service in the configuration.',
  ],
  remedy: 'Read the message, which names what exists; argus COMMAND --help tells more.',
});

/** The work was stopped on request before it was done. */
export const cancelled = defineErrorCode({
  code: 'CANCELLED',
  category: 'system',
  severity: 'warning',
  summary: 'The work was cancelled',
  causes: [
    'Somebody pressed Ctrl-C, or a signal ended argus.',
    'The program that asked for the work took it back.',
  ],
  handling: 'A setup that is cancelled takes down what it had started.',
  remedy: 'Run it again when you want it done.',
  suggestedActions: ['status'],
});

/** Something failed that no plugin gave a code to; a defect in argus or in a plugin. */
export const internalError = defineErrorCode({
  code: 'INTERNAL_ERROR',
  category: 'system',
  severity: 'fatal',
  summary: 'Something failed unexpectedly',
  causes: ['Something failed that nobody foresaw: a defect in argus or in a plugin.'],
  handling:
    'On the command line it writes a report with the versions, the command and the stack, without secrets, into the folder reports of its state; to an agent it says what it knows in the answer.',
  remedy:
    'Look into the report, or run the command in a terminal with --debug, to see where it happened; tell whoever wrote that part.',
  suggestedActions: ['plugins'],
});

/** A check broke, so nothing is known about what it looks at. */
export const checkBroken = defineErrorCode({
  code: 'CHECK_BROKEN',
  category: 'system',
  severity: 'warning',
  summary: 'A check could not do its work',
  causes: [
    'The checker threw an error or returned something that is no result.',
    'It took longer than its time, or than the time for all checks.',
    'It could not look at its thing, for want of a permission or a tool.',
  ],
  handling: 'It reports unknown, which is never a pass.',
  remedy:
    'Read the message; give all checks more time with --timeout where that has run out, or leave this one out with --skip.',
  remedies: {
    // More time helps only against the limit of all checks: the one of a checker is its own.
    deadline: 'Give the checks more time with --timeout, or leave this one out with --skip.',
    timeout: 'See why it takes so long; the limit is its own. Or leave it out with --skip.',
    'could-not-look': 'Read the message, or leave this one out with --skip.',
    threw: 'Read the message, tell whoever wrote the check, or leave it out with --skip.',
    rubbish: 'Tell whoever wrote the check, or leave it out with --skip.',
    'undeclared-code': 'Tell whoever wrote the check, or leave it out with --skip.',
  },
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      checker: z.string().describe('The name of the checker'),
      reason: z
        .enum(['threw', 'timeout', 'deadline', 'cancelled', 'rubbish', 'undeclared-code', 'could-not-look'])
        .describe('How it broke'),
    }),
});

/** The circuit around something that is down is open: calls fail at once instead of waiting for it. */
export const circuitOpen = defineErrorCode({
  code: 'CIRCUIT_OPEN',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'Calls are held back because what they need is down',
  causes: [
    'What the circuit protects, such as the Docker engine, failed several times in a row.',
    'Another call is just finding out whether it is back.',
  ],
  handling:
    'After resilience.circuitBreaker.resetTimeoutMs one call is let through, and the circuit closes if it succeeds.',
  remedy: 'Bring back what is down; then reset the circuit, or wait until it tries by itself.',
  suggestedActions: ['reset-circuit'],
  details: () =>
    z.object({
      circuit: z.string().describe('The name of the circuit'),
      failureCount: z.number().describe('How many calls in a row have failed'),
      retryAfterMs: z.number().describe('Milliseconds until a call is let through'),
      lastError: z.string().nullable().describe('What the last failed call said'),
      lastCode: z.string().optional().describe('The code of that, where it had one'),
      lastReason: z.string().optional().describe('The reason that it named, if any'),
      lastFailureAt: z.number().nullable().describe('When that was, in milliseconds since the epoch'),
    }),
});

/** The world has changed since the plan was made. */
export const planStale = defineErrorCode({
  code: 'PLAN_STALE',
  category: 'system',
  severity: 'recoverable',
  summary: 'The plan no longer fits what is there',
  causes: [
    'The problem has gone, or another one has come, since the plan was made.',
    'The plan was made with other --only or --skip.',
    'An agent has brought the hash of something else than what would be done now.',
  ],
  handling: 'It touches nothing.',
  remedy: 'Make the plan again, look at it, and apply the new hash.',
  suggestedActions: ['plan-recovery'],
  details: () => z.object({ asked: z.string().describe('The hash that was asked for') }),
});

/** A recoverer broke while it applied its plan. */
export const recoveryFailed = defineErrorCode({
  code: 'RECOVERY_FAILED',
  category: 'system',
  severity: 'recoverable',
  summary: 'A repair could not be carried out',
  causes: ['The recoverer threw an error while it carried out its step.', 'It was not done in its time.'],
  remedy: 'Read the message, mend that cause, and make a new plan.',
  suggestedActions: ['plan-recovery'],
  details: () =>
    z.object({
      recoverer: z.string().describe('The name of the recoverer'),
      plugin: z.string().optional().describe('The plugin that it belongs to'),
      target: z.string().describe('What it was to repair'),
    }),
});

/** A recoverer made no plan that can be used, or did not say what it did. */
export const recovererBroken = defineErrorCode({
  code: 'RECOVERER_BROKEN',
  category: 'system',
  severity: 'warning',
  summary: 'A recoverer could not do its work',
  causes: [
    'The recoverer threw an error while it made its plan, or took too long for it.',
    'Its plan is no list of steps, or a step lacks its target, its action or another part.',
    'What it returned when it was applied does not say what became of its steps.',
  ],
  handling:
    'A plan that cannot be used is left out, and other recoverers go on. What was applied is checked again, and that decides.',
  remedy: 'Tell the author of the plugin, or correct it; until then mend by hand what it was to repair.',
  suggestedActions: ['plugins'],
  details: () =>
    z.object({
      recoverer: z.string().describe('The name of the recoverer'),
      plugin: z.string().describe('The plugin that it belongs to'),
      reason: z
        .enum(['threw', 'timeout', 'bad-plan', 'bad-result'])
        .describe('How it broke: a plan that cannot be used, or a result that says nothing'),
    }),
});

/** The state store cannot be opened, read or written. */
export const storeUnavailable = defineErrorCode({
  code: 'STORE_UNAVAILABLE',
  category: 'system',
  severity: 'fatal',
  summary: 'The state store cannot be used',
  causes: [
    'The folder of the state store is read-only or belongs to somebody else.',
    'Other users may write into that folder, or it is a link: what is found there need not be what argus has kept.',
    'The disk that it is on is full.',
    'Other processes held the store for too long.',
    'A newer argus has written it, in a form that this one does not know.',
    'The user has no home folder, as a number without a name in a container has none, and nothing else says where the state belongs.',
  ],
  handling:
    'Checks still report what they find; nothing is repaired by itself. clean ends what it can prove to be its own as long as it ' +
    'can read, and says what is left to be recorded.',
  remedy:
    'Make the folder writable or room on its disk, update argus if a newer one has written the store, or name another folder in ' +
    'ARGUS_STATE_DIR or state.dir; that one knows nothing of what is up.',
  remedies: {
    busy: 'Try again when no other argus, backup or reader of databases holds the store; if one hangs, end it.',
    // Nothing on the disk is to blame for a newer store.
    'newer-schema':
      'Update argus, or name another folder in ARGUS_STATE_DIR; that one knows nothing of what is up.',
    unsafe:
      'Make the folder your own and take the right to write from others (chmod go-w), or name another folder in ARGUS_STATE_DIR or ' +
      'state.dir, by its own path where it is a link.',
    'no-home': 'Set ARGUS_STATE_DIR, or HOME, to a folder that this user may write, and try again.',
  },
  suggestedActions: ['config'],
  details: () =>
    z.object({
      store: z.string().describe('Which store: its file, or its name'),
      reason: z
        .enum(['read-only', 'no-access', 'full', 'busy', 'newer-schema', 'no-home', 'unsafe', 'failed'])
        .describe('Why it cannot be used'),
    }),
});

/** The state file was damaged: it was moved aside and a new one begun. */
export const storeCorrupt = defineErrorCode({
  code: 'STORE_CORRUPT',
  category: 'system',
  severity: 'warning',
  summary: 'The state file was damaged and has been moved aside',
  causes: ['The file was damaged, for example by a full disk, a crash of the machine, or another program.'],
  handling:
    'It moves the damaged file aside and begins a new one. What was remembered of runs is lost; what they have started is ' +
    'left alone, and shown by status. Every command tells of it for a day, or until the file is gone, or in a folder where clean or setup ' +
    'has found nothing left of it.',
  remedy:
    'Run argus status and argus clean where something was up, then delete the file that was moved aside.',
  suggestedActions: ['status', 'clean'],
  details: () =>
    z.object({
      store: z.string().describe('The file that was damaged'),
      movedTo: z.string().describe('Where it is now'),
    }),
});

/** Every code that core itself raises. */
export const coreErrorCodes = [
  configInvalid,
  folderUntrusted,
  configExists,
  configPassedOver,
  configUnwritable,
  pluginInvalid,
  pluginIncompatible,
  outputInvalid,
  usageInvalid,
  cancelled,
  internalError,
  checkBroken,
  circuitOpen,
  planStale,
  recoveryFailed,
  recovererBroken,
  storeUnavailable,
  storeCorrupt,
];
