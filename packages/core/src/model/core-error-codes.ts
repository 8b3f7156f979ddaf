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
  details: () => z.object({ file: z.string().nullable(), problems: z.array(problem()) }),
});

/** There is a configuration already, and it is not written over. */
export const configExists = defineErrorCode({
  code: 'CONFIG_EXISTS',
  category: 'system',
  severity: 'fatal',
  summary: 'There is a configuration already',
  suggestedActions: ['preflight-check'],
  details: () => z.object({ file: z.string() }),
});

/** The configuration could not be written. */
export const configUnwritable = defineErrorCode({
  code: 'CONFIG_UNWRITABLE',
  category: 'system',
  severity: 'fatal',
  summary: 'The configuration could not be written',
  details: () => z.object({ file: z.string(), reason: z.string() }),
});

/** A plugin could not be found, loaded or applied, or registered something impossible. */
export const pluginInvalid = defineErrorCode({
  code: 'PLUGIN_INVALID',
  category: 'system',
  severity: 'fatal',
  summary: 'A plugin cannot be used',
  details: () => z.object({ plugin: z.string(), problems: z.array(z.string()) }),
});

/** The caller asked for something that does not exist or gave input that does not fit. */
export const usageInvalid = defineErrorCode({
  code: 'USAGE_INVALID',
  category: 'system',
  severity: 'fatal',
  summary: 'The request is not valid',
});

/** The work was stopped on request before it was done. */
export const cancelled = defineErrorCode({
  code: 'CANCELLED',
  category: 'system',
  severity: 'warning',
  summary: 'The work was cancelled',
});

/** Something failed that no plugin gave a code to; a defect in argus or in a plugin. */
export const internalError = defineErrorCode({
  code: 'INTERNAL_ERROR',
  category: 'system',
  severity: 'fatal',
  summary: 'Something failed unexpectedly',
});

/** A check broke, so nothing is known about what it looks at. */
export const checkBroken = defineErrorCode({
  code: 'CHECK_BROKEN',
  category: 'system',
  severity: 'warning',
  summary: 'A check could not do its work',
  details: () =>
    z.object({
      checker: z.string(),
      reason: z.enum([
        'threw',
        'timeout',
        'deadline',
        'cancelled',
        'rubbish',
        'undeclared-code',
        'could-not-look',
      ]),
    }),
});

/** The circuit around something that is down is open: calls fail at once instead of waiting for it. */
export const circuitOpen = defineErrorCode({
  code: 'CIRCUIT_OPEN',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'Calls are held back because what they need is down',
  suggestedActions: ['reset-circuit'],
  details: () =>
    z.object({
      circuit: z.string(),
      failureCount: z.number(),
      retryAfterMs: z.number(),
      lastError: z.string().nullable(),
    }),
});

/** The world has changed since the plan was made; `details.hash` is that of the plan for the world as it is. */
export const planStale = defineErrorCode({
  code: 'PLAN_STALE',
  category: 'system',
  severity: 'recoverable',
  summary: 'The recovery plan no longer fits what is there',
  suggestedActions: ['plan-recovery'],
  details: () => z.object({ asked: z.string(), hash: z.string().nullable() }),
});

/** A recoverer broke while it applied its plan. */
export const recoveryFailed = defineErrorCode({
  code: 'RECOVERY_FAILED',
  category: 'system',
  severity: 'recoverable',
  summary: 'A repair could not be carried out',
  suggestedActions: ['plan-recovery'],
  details: () => z.object({ recoverer: z.string(), target: z.string() }),
});

/** The state store cannot be opened, read or written. */
export const storeUnavailable = defineErrorCode({
  code: 'STORE_UNAVAILABLE',
  category: 'system',
  severity: 'fatal',
  summary: 'The state store cannot be used',
  details: () =>
    z.object({
      store: z.string(),
      reason: z.enum(['read-only', 'no-access', 'busy', 'newer-schema', 'failed']),
    }),
});

/** The state file was damaged: it was moved aside and a new one begun. */
export const storeCorrupt = defineErrorCode({
  code: 'STORE_CORRUPT',
  category: 'system',
  severity: 'warning',
  summary: 'The state file was damaged and has been moved aside',
  details: () => z.object({ store: z.string(), movedTo: z.string() }),
});

/** Every code that core itself raises. */
export const coreErrorCodes = [
  configInvalid,
  configExists,
  configUnwritable,
  pluginInvalid,
  usageInvalid,
  cancelled,
  internalError,
  checkBroken,
  circuitOpen,
  planStale,
  recoveryFailed,
  storeUnavailable,
  storeCorrupt,
];
