import type { Kernel, StructuredError } from '@argusai/core';
import { suggestedCommands } from './suggested-commands.js';

/** Where a problem is told. */
interface Place {
  /** The check that found it. */
  readonly check?: string | undefined;
  /** The command that it ended, as people type it. */
  readonly command?: string | undefined;
  /** The command that found it and did not fail, as people type it: given again it would find the same. */
  readonly foundBy?: string | undefined;
}

/** What only shows how things are. */
const looking = ['argus check', 'argus status', 'argus config', 'argus plugins', 'argus schema'];

/**
 * What to do about a problem, best first. A command that only looks again, or does the same again, helps when something
 * else was done before; what that is, the code advises.
 */
export function stepsFor(
  kernel: Kernel,
  error: Pick<StructuredError, 'code' | 'suggestedActions' | 'details'>,
  { check, command, foundBy }: Place = {},
): string[] {
  const commands = suggestedCommands(kernel, error, check).filter((one) => one !== `argus ${foundBy}`);
  const advice = remedyFor(error) ?? kernel.errorCodes.get(error.code)?.remedy;
  if (commands.length === 0) return [advice ?? `argus explain ${error.code}`];
  const again = [...looking, `argus ${command}`, ...(sameAgain[error.code] ?? [])];
  // To reset a circuit means to try again as well.
  const helps = commands.some((one) => !again.includes(one) && !one.startsWith('argus reset-circuit '));
  return helps || advice === undefined ? commands : [advice, ...commands];
}

/** What cannot be built is built the same way by whatever builds, what is not well in time is not after another start, and a repair that failed fails again. */
const sameAgain: Readonly<Record<string, readonly string[]>> = {
  BUILD_FAILED: ['argus build'],
  HEALTH_CHECK_TIMEOUT: ['argus setup'],
  RECOVERY_FAILED: ['argus plan-recovery'],
};

/** What helps against this very occurrence, where the remedy of its code is for others. */
function remedyFor({ code, details }: Pick<StructuredError, 'code' | 'details'>): string | undefined {
  // Nothing on the disk is to blame for a newer store.
  if (code === 'STORE_UNAVAILABLE' && details.reason === 'newer-schema')
    return 'Update argus, or name another folder in ARGUS_STATE_DIR; that one knows nothing of what is up.';
  if (code === 'STORE_UNAVAILABLE' && details.reason === 'busy')
    return 'Try again when no other argus, backup or reader of databases holds the store; if one hangs, end it.';
  if (code === 'DOCKER_UNAVAILABLE') return dockerRemedies[String(details.reason)];
  return code === 'CHECK_BROKEN' ? brokenRemedies[String(details.reason)] : undefined;
}

/** More time helps only against the limit of all checks: the one of a checker is its own. */
const brokenRemedies: Readonly<Record<string, string>> = {
  deadline: 'Give the checks more time with --timeout, or leave this one out with --skip.',
  timeout: 'See why it takes so long; the limit is its own. Or leave it out with --skip.',
  'could-not-look': 'Read the message, or leave this one out with --skip.',
  threw: 'Read the message, tell whoever wrote the check, or leave it out with --skip.',
  rubbish: 'Tell whoever wrote the check, or leave it out with --skip.',
  'undeclared-code': 'Tell whoever wrote the check, or leave it out with --skip.',
};

/** The reason is in the details, which a person at a terminal is not shown with an error. */
const dockerRemedies: Readonly<Record<string, string>> = {
  'not-installed': 'Install Docker, or leave the services out that need it.',
  'not-running': 'Start Docker: Docker Desktop, or systemctl start docker.',
  'no-permission': 'Let this user use Docker: add it to the group docker, and log in again.',
  hung: 'Docker does not answer: restart it.',
  'too-old': 'Update Docker: its client and its daemon are too far apart in age.',
  tls: 'Correct the certificates that the client of Docker uses: DOCKER_CERT_PATH, DOCKER_TLS_VERIFY.',
  misconfigured: 'Correct DOCKER_HOST, DOCKER_CONTEXT or the configuration of the client of Docker.',
  'not-an-engine': 'What answers there is no Docker: correct DOCKER_HOST or the context.',
};
