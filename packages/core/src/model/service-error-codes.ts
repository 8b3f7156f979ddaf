import * as z from 'zod';
import { defineErrorCode } from './error-code.js';
import type { JsonObject } from './json.js';

/** A service did not become healthy in the time its health check allows. */
export const healthCheckTimeout = defineErrorCode({
  code: 'HEALTH_CHECK_TIMEOUT',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service is not healthy, or did not become so in time',
  causes: [
    'The service needs longer to start than its health check allows.',
    'It listens on another port or path than the health check asks.',
    'It hangs, or waits for something that it cannot reach.',
    'Somebody has paused it.',
  ],
  handling:
    'A setup takes down what it had started. A guardian restarts a service that was well before, unless autonomy is observe or cautious.',
  remedy:
    'Read its last lines; give it more startPeriod or retries, or correct what the health check asks. Continue one that is paused.',
  suggestedActions: ['logs', 'setup'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      check: z.string().describe('What was asked of it'),
      tries: z.number().describe('How often it was asked'),
      outputs: z.array(z.string()).describe('What the last tries gave'),
      lines: z.array(z.string()).describe('The last lines of its output'),
      container: z.string().optional().describe('The container, where it is one'),
      id: z.string().optional().describe('The id of the container, where it is one'),
      diagnosis: (z.record(z.string(), z.json()) as z.ZodType<JsonObject>)
        .optional()
        .describe(
          'What plugins found out about it, such as network and dns; gap says why there may be more to know',
        ),
    }),
});

/** Nobody could say whether a service is healthy, because what runs it does not answer. */
export const healthUnknown = defineErrorCode({
  code: 'HEALTH_UNKNOWN',
  category: 'infrastructure',
  severity: 'recoverable',
  summary: 'It could not be told whether a service is healthy',
  causes: [
    'What runs the service, such as the Docker engine, takes too long to answer or breaks when it is asked.',
  ],
  handling:
    'It asks again as often as the retries of the health check say, and counts nothing of it against the service. Then a setup takes down what it had started.',
  remedy:
    'See why what runs the service is slow, such as too little memory or a busy disk; then set up again.',
  suggestedActions: ['preflight-check', 'setup'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      runtime: z.string().describe('What runs it'),
      check: z.string().describe('What was asked of it'),
      reason: z.string().describe('Why nobody could say'),
    }),
});

/** Helps only where there is a container; the kernel leaves it out where there is none. */
export const restartContainer = 'docker.restart-container';

/** A service that has ended: a container, or a process of this machine. */
const ended = () => ({
  service: z.string().describe('The service'),
  runId: z.string().describe('The run that it belongs to'),
  exitCode: z.number().nullable().describe('Null when nobody was there to see how it ended'),
  finishedAt: z.number().nullable().describe('Milliseconds since the epoch'),
  container: z.string().optional().describe('The container, where it is one'),
  id: z.string().optional().describe('The id of the container, where it is one'),
  lines: z.array(z.string()).optional().describe('The last lines of its output'),
});

/** A service was killed because it used more memory than it may, by the runtime's own word; sizes in bytes. */
export const containerOom = defineErrorCode({
  code: 'CONTAINER_OOM',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service was killed because it ran out of memory',
  causes: ['The service, or a process that it started, used more memory than its limit.'],
  handling: 'A guardian restarts it, unless autonomy is observe or cautious.',
  remedy: 'Raise memory in the configuration of the service, or make it use less.',
  suggestedActions: ['setup', restartContainer, 'logs'],
  details: () =>
    z.object({
      ...ended(),
      memoryLimit: z.number().nullable().describe('How many bytes it may use, where there is a limit'),
      memoryPeak: z
        .number()
        .nullable()
        .describe(
          'The limit: it was killed for having reached that, so it had used at least so much; null where there is none',
        ),
    }),
});

/** A service has ended, although it is meant to run or to end well. */
export const containerCrash = defineErrorCode({
  code: 'CONTAINER_CRASH',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service ended unexpectedly',
  causes: [
    'The service ended with an error, or was killed.',
    'It ended well, but is not declared with oneShot.',
    'Its container could not be started.',
    'Somebody has removed its container, or what is kept of its process.',
  ],
  handling: 'A guardian restarts it, unless autonomy is observe or cautious.',
  remedy: 'Read its last lines and correct the cause. Set oneShot if it is meant to end.',
  suggestedActions: ['setup', restartContainer, 'logs'],
  details: () =>
    z.object({
      ...ended(),
      status: z.string().describe('The state that it is in'),
      reason: z.string().optional().describe('What the runtime says about it'),
      signal: z.string().optional().describe('The signal that ended it'),
    }),
});

/** A service was restarted, or is to be, because one was that it is configured to be restarted with. */
export const dependencyRestarted = defineErrorCode({
  code: 'DEPENDENCY_RESTARTED',
  category: 'container',
  severity: 'warning',
  summary: 'A service is restarted with another one',
  causes: ['A service that it names in restartWith was restarted.'],
  handling: 'A guardian restarts it after the other one, between two suites while tests run.',
  remedy: 'Look at why the other service failed; this one is well.',
  suggestedActions: ['logs'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      with: z.string().describe('The service that it is restarted with'),
      path: z.array(z.string()).describe('All that were restarted before it, the first because it failed'),
      cause: z
        .record(z.string(), z.json().optional())
        .describe('The failure of that first one: a structured error'),
    }),
});

/** An environment that is up was to be guarded, and whoever guarded it is gone. */
export const guardianGone = defineErrorCode({
  code: 'GUARDIAN_GONE',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Nobody guards an environment that was to be guarded',
  causes: [
    'The process of the guardian was killed, or the machine was started anew.',
    'The process of the guardian was stopped (SIGSTOP, Ctrl-Z) or hangs, so that it gives no sign of life.',
  ],
  handling: 'A setup of an environment that was guarded starts another guardian.',
  remedy: 'Start another with argus setup --guard; until then nothing that fails is restarted.',
  remedies: {
    suspended:
      'Let the process that guards go on (fg, or kill -CONT and its number), or end it; until then nothing that fails is restarted.',
  },
  suggestedActions: ['setup'],
  details: () =>
    z.object({
      runId: z.string().describe('The run that nobody guards'),
      pid: z.number().describe('The process that guarded it'),
      host: z.string().describe('The machine that it was on'),
      reason: z
        .enum(['dead', 'silent', 'suspended'])
        .describe('It is gone, gives no sign of life, or that and does other work too'),
    }),
});

/** A service failed again and again; `details.history` tells of each restart and what was seen before it. */
export const containerRestartExhausted = defineErrorCode({
  code: 'CONTAINER_RESTART_EXHAUSTED',
  category: 'container',
  severity: 'fatal',
  summary: 'A service fails again and again and is restarted no more',
  causes: [
    'The service failed again after as many restarts as resilience.container.maxRestarts allows.',
    'It was restarted more often than resilience.container.stormLimit allows.',
  ],
  handling: 'It restarts the service no more, and keeps what was seen before each restart.',
  remedy: 'Read the history in the details, correct the cause, and set the environment up again.',
  suggestedActions: ['incidents', 'logs', 'setup'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      runId: z.string().describe('The run that it belongs to'),
      attempts: z.number().describe('How often it was restarted'),
      limit: z.enum(['max-restarts', 'storm-limit']).describe('Which limit was met'),
      stormLimit: z
        .object({ max: z.number(), per: z.number() })
        .optional()
        .describe('So many restarts may there be in so many milliseconds; where that limit was met'),
      counted: z
        .array(z.object({ at: z.number(), reason: z.string().nullable() }))
        .optional()
        .describe('The restarts that this limit has counted: when, in milliseconds since the epoch, and why'),
      pattern: z
        .string()
        .describe(
          'How it fails: `crash-loop`, `out-of-memory-loop`, `health-loop`, `mixed`, or `once` where no restart is allowed',
        ),
      cause: z
        .object({ code: z.string(), message: z.string() })
        .describe('The code and the message of the last failure'),
      history: z
        .array(z.record(z.string(), z.json().optional()))
        .describe('Each restart, with the evidence that was kept before it'),
    }),
});
