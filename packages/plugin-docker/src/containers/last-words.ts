import { argumentList } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { timedLine } from '../runtime/log-line.js';
import { NewestLines, tailFor } from '../runtime/newest-lines.js';

/** The last lines that a container wrote to stdout and stderr, in the order in which it wrote them. */
export async function lastWords(
  client: DockerClient,
  id: string,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<string[]> {
  const tail = tailFor(count);
  const lines = new NewestLines(count, tail);
  const args = argumentList(['logs'], { timestamps: true, tail }, [id]);
  await client.follow(args, {
    signal,
    onLine(text, stream) {
      const line = timedLine(id, { text, stream });
      if (line !== undefined) lines.add(line);
    },
  });
  return lines.take().map(({ time, line }) => `${time} ${line.text}`);
}
