import type { CallOptions, DockerClient } from '../client/docker-client.js';

/** How a command ended, whatever it ended with. */
export interface DockerAnswer {
  readonly exitCode: number;
  /** Lines of stdout that are not empty. */
  readonly stdout: readonly string[];
  readonly stderr: string;
}

/** What changes something takes longer on a busy machine than a question does. */
const limitMs = 60_000;

/** Runs a command of which a failure is an answer too, and of which a part may have been done when it fails. */
export async function askDocker(
  client: DockerClient,
  args: readonly string[],
  options: CallOptions & { readonly env?: Readonly<Record<string, string>> },
): Promise<DockerAnswer> {
  const stdout: string[] = [];
  const { exitCode, stderr } = await client.follow(args, {
    timeoutMs: limitMs,
    ...options,
    onLine: (line, stream) => {
      if (stream === 'stdout' && line.trim() !== '') stdout.push(line.trim());
    },
  });
  return { exitCode, stdout, stderr };
}
