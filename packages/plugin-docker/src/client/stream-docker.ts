import type { OutputLine } from './docker-client.js';
import { MergedStreams } from './merge-streams.js';
import type { Ended, Start } from './run-docker.js';

/** How much of the end of stderr is kept. */
const keptLines = 100;

/**
 * Runs the user's own Docker client and gives its lines as they come; how it ended comes last, as the value that the
 * generator returns. No more than a line of each stream is read ahead of the consumer, and one that stops early ends
 * the command.
 */
export async function* streamDocker(
  args: readonly string[],
  { env, signal }: Start,
): AsyncGenerator<OutputLine, Ended, void> {
  const { execa } = await import('execa');
  const stop = new AbortController();
  const subprocess = execa('docker', args, {
    env,
    extendEnv: false,
    reject: false,
    buffer: false,
    stdin: 'ignore',
    cancelSignal: AbortSignal.any([signal, stop.signal]),
    forceKillAfterDelay: 500,
  });
  const lines = new MergedStreams<OutputLine>(1);
  const tail: string[] = [];
  try {
    for (const stream of ['stdout', 'stderr'] as const) {
      lines.add(linesOf(subprocess.iterable({ from: stream }), stream));
    }
    for await (const line of lines.read()) {
      if (line.stream === 'stderr') tail.push(line.text);
      if (tail.length > keptLines) tail.shift();
      yield line;
    }
    const { exitCode, code } = await subprocess;
    return {
      exitCode: exitCode ?? null,
      stdout: '',
      stderr: tail.join('\n'),
      ...(typeof code === 'string' ? { systemCode: code } : {}),
    };
  } finally {
    stop.abort();
  }
}

async function* linesOf(
  lines: AsyncIterable<unknown>,
  stream: OutputLine['stream'],
): AsyncGenerator<OutputLine> {
  for await (const text of lines) yield { text: String(text), stream };
}
