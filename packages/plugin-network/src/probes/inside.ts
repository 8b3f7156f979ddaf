import { argumentList, type Clock } from '@argusai/core';
import type { ContainerPlace, DockerClient } from '@argusai/plugin-docker';
import type { Probe } from './probe.js';
import { ScriptReader, scriptWords } from './script.js';

/** Room for a shell to start on a busy machine, and for one connection after the other. */
const spareMs = 15_000;

/** What the probes that go through Docker need. */
export interface DockerProbeParts {
  readonly client: DockerClient;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Makes a probe that looks from inside a container, with the tools of its image. Without a shell it cannot look. */
export function probeInside({ id }: Pick<ContainerPlace, 'id'>, parts: DockerProbeParts): Probe {
  return (attempts, signal) => {
    const words = argumentList(['exec'], {}, [id, 'sh', ...scriptWords(attempts, parts.timeoutMs)]);
    return runScript(words, attempts, parts, signal);
  };
}

/** Runs a Docker command that runs the script, and reads what it says. */
export async function runScript(
  words: readonly string[],
  attempts: Parameters<Probe>[0],
  { client, timeoutMs }: DockerProbeParts,
  signal: AbortSignal,
): ReturnType<Probe> {
  const reader = new ScriptReader();
  const tries = Math.max(1, ...attempts.map(({ ports }) => ports.length + 1));
  await client.follow(words, {
    signal,
    timeoutMs: spareMs + tries * (timeoutMs + 2_000),
    onLine: (line, stream) => {
      if (stream === 'stdout') reader.note(line);
    },
  });
  return reader.seen(attempts);
}
