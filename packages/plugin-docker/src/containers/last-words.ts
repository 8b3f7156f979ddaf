import { argumentList } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';

/** The last lines that a container wrote to stdout and stderr, in the order in which it wrote them. */
export async function lastWords(
  client: DockerClient,
  id: string,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<string[]> {
  const lines: string[] = [];
  const args = argumentList(['logs'], { timestamps: true, tail: count }, [id]);
  await client.follow(args, { signal, onLine: (line) => lines.push(line) });
  // The client writes to two streams, so only the engine's own times tell the order. They have one length and sort as text.
  const stamped = lines.map((line) => ({ at: line.split(' ', 1)[0] ?? '', text: line }));
  return stamped
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ text }) => text);
}
