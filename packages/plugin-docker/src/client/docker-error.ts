import {
  ArgusError,
  type ConfigPlace,
  formatDuration,
  lastLinesOf,
  portConflict,
  quoted,
} from '@argusai/core';
import {
  dockerCommandFailed,
  dockerNameTaken,
  dockerObjectMissing,
  dockerUnavailable,
  imageUnavailable,
} from '../error-codes.js';
import type { DaemonReason, Failure } from './classify-failure.js';
import { imageReasonOf } from './image-reason.js';
import type { Ended } from './run-docker.js';

/** How much of what the client said is kept in an error. */
const keptOutput = 4_000;

/** What is known about a daemon that cannot be used. */
export interface Trouble {
  readonly reason: DaemonReason;
  readonly endpoint: string;
  /** Who says that it is there. */
  readonly where: ConfigPlace;
  readonly output: string;
  /** How long it was waited for. */
  readonly waitedMs: number;
}

/** The error of a daemon that cannot be used. */
export function unavailable({ reason, endpoint, where, output, waitedMs }: Trouble): ArgusError {
  const place = `${endpoint} (${saidBy(where)})`;
  const at = `the Docker daemon at ${place}`;
  const messages: Record<DaemonReason, string> = {
    'not-installed': 'Docker is not installed: there is no program called docker on the path',
    'not-running': `The Docker daemon does not answer at ${place}: it does not run, or not there`,
    'no-permission': `This user may not use ${at}`,
    hung: `${at.replace('the', 'The')} gave no answer within ${formatDuration(waitedMs)}`,
    'too-old': `The Docker client and ${at} are too far apart in age to understand each other`,
    tls: `No secure connection to ${at} could be made`,
    misconfigured: 'The Docker client does not know where to look for the daemon',
    'not-an-engine': `What answers at ${place} is not a Docker engine, or one that is broken`,
  };
  const kept = excerpt(output);
  return new ArgusError(dockerUnavailable, {
    message: messages[reason],
    details: {
      reason,
      endpoint,
      ...(reason === 'not-installed' ? {} : { where }),
      ...(kept === '' ? {} : { output: kept }),
    },
  });
}

/** Who says where the daemon is, in words. */
function saidBy({ key, value, from }: ConfigPlace): string {
  if (from === 'default') return 'the default';
  return key === 'DOCKER_HOST' ? 'from DOCKER_HOST' : `from the context ${value}`;
}

/** A command that was answered, but not as wished. */
export interface Refused {
  readonly args: readonly string[];
  readonly ended: Ended;
  /** The service that the command was for, where there is one. */
  readonly service?: string | undefined;
}

/** The error of a command that a working daemon did not carry out. Running out of space has one of its own. */
export function refused(
  failure: Extract<Failure, { kind: 'answer' }>,
  { args, ended, service = '' }: Refused,
) {
  const output = excerpt(ended.stderr);
  const command = commandOf(args);
  const said = complaintOf(ended.stderr);
  const message = `${command} failed: ${said === undefined ? `exit code ${ended.exitCode}` : quoted(said)}`;
  const occurrence = { message, details: { command, output } };
  switch (failure.answer) {
    case 'missing':
      return new ArgusError(dockerObjectMissing, occurrence);
    case 'name-taken':
      return new ArgusError(dockerNameTaken, occurrence);
    case 'port-taken':
      return new ArgusError(portConflict, {
        message: `Port ${failure.taken.port} is taken`,
        details: { service, ...failure.taken },
      });
    case 'image-not-found':
    case 'image-denied':
    case 'image-wrong-platform':
    case 'registry-unreachable':
    case 'registry-rate-limited': {
      const reason = imageReasonOf(failure.answer);
      return new ArgusError(imageUnavailable, { message, details: { command, output, reason } });
    }
    default: {
      const { exitCode } = ended;
      const details = { command, output, reason: failure.answer, exitCode };
      return new ArgusError(dockerCommandFailed, { message, details });
    }
  }
}

/** The error of a command that took too long although the daemon works. */
export function tookTooLong(args: readonly string[], afterMs: number, output: string): ArgusError {
  const command = commandOf(args);
  return new ArgusError(dockerCommandFailed, {
    message: `${command} was not done after ${formatDuration(afterMs)}, although the Docker daemon answers`,
    details: { command, output: excerpt(output), reason: 'timeout', exitCode: null },
  });
}

/** The words of a command up to its first option: what follows may hold secrets. */
function commandOf(args: readonly string[]): string {
  const groups = ['container', 'image', 'network', 'volume', 'system', 'builder', 'context'];
  return ['docker', ...args.slice(0, groups.includes(args[0] ?? '') ? 2 : 1)].join(' ');
}

/** The line that says what is wrong; the client adds hints after it and progress before it. */
function complaintOf(stderr: string): string | undefined {
  const lines = stderr.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(See|Run) 'docker |^exit status \d+$/.test(line));
  const complaint = said.find((line) => /error response from daemon|^error:/i.test(line)) ?? said.at(-1);
  return complaint?.replace(/^(docker: )?Error( response from daemon)?: /i, '').replace(/\.$/, '');
}

function excerpt(output: string): string {
  const text = output.trim();
  return text.length <= keptOutput ? text : `…\n${lastLinesOf(text, keptOutput)}`;
}
