import {
  ArgusError,
  configKey,
  portConflict,
  quoted,
  type ServiceSpec,
  serviceStartFailed,
} from '@argusai/core';
import { type Answer, classifyFailure } from '../client/classify-failure.js';
import type { DockerAnswer } from './ask-docker.js';

/** Why a container did not start. */
export type StartReason =
  | 'port-taken'
  | 'no-space'
  | 'image-missing'
  | 'command-missing'
  | 'name-taken'
  | 'failed';

const reasons: Partial<Record<Answer, StartReason>> = {
  'port-taken': 'port-taken',
  'no-space': 'no-space',
  'name-taken': 'name-taken',
  'command-missing': 'command-missing',
  'image-not-found': 'image-missing',
  'image-denied': 'image-missing',
  'image-wrong-platform': 'image-missing',
  'registry-unreachable': 'image-missing',
  'registry-rate-limited': 'image-missing',
};

/** Reads from what Docker said why a container did not start. */
export function startReason(stderr: string): StartReason {
  // These could be about something else, and in a start they are about the image.
  if (/no such image|image not known|invalid reference format/i.test(stderr)) return 'image-missing';
  const failure = classifyFailure({ stderr });
  return (failure.kind === 'answer' && reasons[failure.answer]) || 'failed';
}

/** The error for a container that did not start, unless a full disk is the reason. */
export function startFailure(service: ServiceSpec, { stderr, exitCode }: DockerAnswer): ArgusError {
  const lines = linesOf(stderr);
  const last = lines.at(-1);
  const said = last === undefined ? `exit code ${exitCode}` : quoted(last);
  const failure = classifyFailure({ stderr });
  if (failure.kind === 'answer' && failure.answer === 'port-taken') {
    return new ArgusError(portConflict, {
      message: `The port ${failure.taken.port} that ${service.name} asks for is taken: ${said}`,
      details: { service: service.name, ...failure.taken },
    });
  }
  const reason = startReason(stderr);
  const why = reason === 'command-missing' ? commandProblem(service, last ?? '') : said;
  return new ArgusError(serviceStartFailed, {
    message: `${service.name} could not be started: ${why}`,
    details: {
      service: service.name,
      reason: reason === 'port-taken' || reason === 'no-space' ? 'failed' : reason,
      ...(reason === 'command-missing' ? { where: { key: configKey(service, 'command') } } : {}),
      exitCode,
      lines,
    },
  });
}

/** In words that need no knowledge of runc and crun; what those said is in the details. */
function commandProblem({ image }: ServiceSpec, said: string): string {
  const command = /exec: "([^"]+)"|executable file `([^`]+)`/.exec(said);
  const name = command?.[1] ?? command?.[2];
  const where = image === undefined ? 'its image' : `its image ${image}`;
  return /permission denied|is a directory/i.test(said)
    ? `${name === undefined ? 'the command' : `the command ${name}`} in ${where} cannot be executed`
    : `there is no ${name === undefined ? 'such command' : `command ${name}`} in ${where}`;
}

/** What Docker said, without the advice to read its manual. */
export function linesOf(stderr: string): string[] {
  return stderr
    .split('\n')
    .map((line) => line.replace(/^(docker: )?(Error response from daemon: )?/, '').trim())
    .filter((line) => line !== '' && !/^(Run|See) 'docker .*--help'|^exit status \d+$/.test(line));
}
