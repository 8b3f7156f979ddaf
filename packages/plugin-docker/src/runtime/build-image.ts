import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import {
  ArgusError,
  argumentList,
  type BuildContext,
  buildFailed,
  diskSpaceLow,
  labelNames,
  quoted,
  type ServiceSpec,
} from '@argusai/core';
import { type EngineSpace, isShort, shortage } from '../client/engine-space.js';
import { BuildLines } from './build-lines.js';
import { ClientNotice } from './client-notice.js';
import type { DockerParts } from './docker-parts.js';
import { handBuildArguments } from './handed-variables.js';
import { HeldOutput } from './held-output.js';
import { assignments } from './label-arguments.js';
import { imageOf } from './names.js';
import { spaceAtFailure } from './space-at-failure.js';

const keptLines = 50;
/** Longer than any build should take; a build that hangs is not the daemon's fault. */
const limitMs = 3_600_000;

/** What Docker and the programs that a build runs say when a disk is full. A step that is only announced says nothing. */
const spaceIsGone = /^(?!Step \d|#\d+ \[).*(no space left on device|disk quota exceeded)/i;

/**
 * Builds the image of a service and gives its id. Works with BuildKit and with the builder of old engines, whose lines
 * are plain text without being asked.
 */
export async function buildImage(
  parts: DockerParts,
  service: ServiceSpec,
  context: BuildContext,
): Promise<string> {
  if (service.build === undefined) return '';
  const { events, clock, signal } = context;
  const command = buildCommand(service, service.build, context);
  const lookAtSpace = spaceAtFailure(parts.client, signal);
  const last = new BuildLines(keptLines);
  const notice = new ClientNotice();
  const tell = (line: string) => events.emit('build_output', { service: service.name, line });
  const output = new HeldOutput(tell, clock);
  let complaint = '';
  let space: ReturnType<typeof lookAtSpace> | undefined;
  const noted: Promise<() => Promise<void>>[] = [];
  const building = parts.client.follow(command.args, {
    signal,
    onStart: (pid) => void noted.push(context.noteProcess?.(pid) ?? Promise.resolve(async () => undefined)),
    timeoutMs: limitMs,
    env: { ...command.env, BUILDKIT_PROGRESS: 'plain' },
    onLine(text, stream) {
      const line = stripVTControlCharacters(text).trimEnd();
      output.add(line);
      if (stream === 'stderr' && notice.has(line)) return;
      last.add(line, stream, clock.monotonic());
      if (stream === 'stderr' && line !== '') complaint = line;
      if (spaceIsGone.test(line)) space ??= lookAtSpace();
    },
  });
  let exitCode: number | undefined;
  try {
    ({ exitCode } = await building);
  } finally {
    output.end(exitCode === 0);
    for (const strikeOff of await Promise.all(noted)) await strikeOff();
  }
  if (exitCode === 0) return builtImage(parts, service, context);
  const lines = last.take();
  const found = await space;
  // Words can be about anything, such as a test of these very words or a quota. Where there are figures, they decide.
  if (space !== undefined && (found === undefined || isShort(found, parts.diskSpaceThreshold)))
    throw await outOfSpace(parts, service, found, lines, signal);
  const why = complaint || lines.findLast((line) => line !== '');
  throw new ArgusError(buildFailed, {
    message: `The image of ${service.name} could not be built: ${why ? quoted(why) : `exit code ${exitCode}`}`,
    details: { service: service.name, exitCode, lines },
  });
}

async function builtImage({ client }: DockerParts, service: ServiceSpec, context: BuildContext) {
  const { project, signal } = context;
  const [image] = await client.inspect<{ Id: string }>('image', [imageOf(service, project)], { signal });
  return image?.Id ?? '';
}

function buildCommand(
  service: ServiceSpec,
  build: NonNullable<ServiceSpec['build']>,
  { project }: BuildContext,
): { readonly args: string[]; readonly env: Record<string, string> } {
  const { names, env } = handed(service, build.args);
  const options = {
    // What a failed step leaves behind in the engines that do not remove it by themselves would be nobody's.
    'force-rm': true,
    tag: imageOf(service, project),
    label: assignments({ [labelNames.managed]: 'true', [labelNames.project]: project.name }),
    file: build.dockerfile === undefined ? undefined : resolve(build.context, build.dockerfile),
    target: build.target,
    'build-arg': names,
  };
  return { args: argumentList(['build'], options, [build.context]), env };
}

function handed({ name: service }: ServiceSpec, args: Readonly<Record<string, string>>) {
  try {
    return handBuildArguments(args);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The image of ${service} could not be built: build.args cannot be handed over: ${why}`;
    throw new ArgusError(buildFailed, { message, details: { service, exitCode: 1, lines: [] }, cause });
  }
}

async function outOfSpace(
  { client, diskSpaceThreshold: required }: DockerParts,
  service: ServiceSpec,
  space: EngineSpace | undefined,
  lines: string[],
  signal: AbortSignal,
): Promise<ArgusError> {
  const short = space && shortage(space, required);
  return new ArgusError(diskSpaceLow, {
    message: `The build of ${service.name} ran out of disk space: ${short?.figures ?? 'the engine says that none is left'}`,
    severity: 'fatal',
    details: short
      ? { ...short.details, lines }
      : { available: 0, required, path: await client.endpoint(signal), lines },
  });
}
