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
  options: CallOptions & { readonly env?: Readonly<Record<string, string>>; readonly input?: string },
): Promise<DockerAnswer> {
  const { exitCode, stdout, stderr } = await client.follow(args, { timeoutMs: limitMs, ...options });
  const lines = stdout.split('\n').map((line) => line.trim());
  return { exitCode, stdout: lines.filter((line) => line !== ''), stderr };
}
