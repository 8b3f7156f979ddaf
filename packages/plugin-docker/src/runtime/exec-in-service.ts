import { argumentList, commandWords, type RunContext, type ServiceSpec } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { containerName } from './names.js';

const keptLines = 200;
/** The caller's signal ends it long before; a slow command is not the daemon's fault. */
const limitMs = 600_000;

/**
 * Runs a command inside a container. A line that only a shell understands is given to the container's own. Docker
 * has no way to end a command inside: one that is aborted is left alone, and goes on until it ends by itself.
 */
export async function execInService(
  client: DockerClient,
  service: ServiceSpec,
  command: string | readonly string[],
  { run, signal }: Pick<RunContext, 'run' | 'signal'>,
): Promise<{ exitCode: number; output: string }> {
  const lines: string[] = [];
  const args = argumentList(['exec'], {}, [containerName(run, service.name), ...execWords(command)]);
  const { exitCode } = await client.follow(args, {
    signal,
    timeoutMs: limitMs,
    onLine(line) {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
    },
  });
  return { exitCode, output: lines.join('\n') };
}

/** The words of a command inside a container; of a line that only a shell understands those that start one. */
export function execWords(command: string | readonly string[]): readonly string[] {
  if (typeof command !== 'string') return command;
  const { words, needsShell } = commandWords(command);
  return needsShell === undefined ? words : ['sh', '-c', command];
}
