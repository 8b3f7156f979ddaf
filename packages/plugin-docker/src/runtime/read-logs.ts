import {
  argumentList,
  isArgusError,
  type LogLine,
  type LogQuery,
  type ProgramOptions,
  type RunIdentity,
} from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { MergedStreams } from '../client/merge-streams.js';
import { dockerObjectMissing } from '../error-codes.js';
import type { DockerParts } from './docker-parts.js';
import { type TimedLine, timedLine } from './log-line.js';
import { containerName } from './names.js';
import { NewestLines, tailFor } from './newest-lines.js';
import { watchRun } from './watch-run.js';

/** A long log takes its time. */
const limitMs = 600_000;

/** The output of services of a run: what there is, oldest first, and then what comes, if it is followed. */
export async function* readLogs(
  parts: DockerParts,
  run: RunIdentity,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<LogLine, void, undefined> {
  // Whoever stops reading ends what is still running.
  const reading = new AbortController();
  const both = AbortSignal.any([signal, reading.signal]);
  // Watched from the beginning, so that no service starts again unseen.
  const starts = query.follow ? watchRun(parts, run, both) : undefined;
  try {
    const past = await readPast(parts.client, run, query, both);
    for (const { line } of past) yield line;
    if (starts !== undefined) yield* readOn({ ...parts, run, query, signal: both, past, starts });
  } catch (error) {
    if (!signal.aborted || !query.follow) throw error;
  } finally {
    reading.abort();
  }
}

/** Everything at once and then sorted: stdout and stderr come through two pipes, in no order. */
async function readPast(
  client: DockerClient,
  run: RunIdentity,
  { services, tail, since, until }: LogQuery,
  signal: AbortSignal,
): Promise<TimedLine[]> {
  // Docker counts from the end of the log, whatever it leaves out of that: then they are counted here.
  const isCounted = tail !== undefined && until !== undefined;
  const part = {
    tail: isCounted || tail === undefined ? undefined : tailFor(tail),
    since: since === undefined ? undefined : (since / 1000).toFixed(3),
    until: until === undefined ? undefined : (until / 1000).toFixed(3),
  };
  const found = await Promise.all(
    services.map((service) => pastOf(client, run, service, part, tail, signal)),
  );
  signal.throwIfAborted();
  return found.flat().sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
}

/** What one service has printed, with one call; whatever goes wrong with that, the slower way tells. */
async function pastOf(
  client: DockerClient,
  run: RunIdentity,
  service: string,
  part: ProgramOptions & { readonly tail: number | undefined },
  kept: number | undefined,
  signal: AbortSignal,
): Promise<TimedLine[]> {
  const lines = new NewestLines(kept, part.tail);
  const args = argumentList(['logs'], { timestamps: true, ...part }, [containerName(run, service)]);
  const { exitCode } = await client.follow(args, {
    signal,
    timeoutMs: limitMs,
    onLine(text, stream) {
      const line = timedLine(service, { text, stream });
      if (line !== undefined) lines.add(line);
    },
  });
  if (exitCode === 0) return lines.take();
  const again = new NewestLines(kept, part.tail);
  for await (const line of linesOf(client, run, service, part, signal)) again.add(line);
  return again.take();
}

interface Following extends DockerParts {
  readonly run: RunIdentity;
  readonly query: LogQuery;
  readonly signal: AbortSignal;
  readonly past: readonly TimedLine[];
  readonly starts: ReturnType<typeof watchRun>;
}

/** Goes on where the past ended, also with services that start again. */
async function* readOn(following: Following): AsyncGenerator<LogLine, void, undefined> {
  const { client, run, query, signal, past, starts } = following;
  const newest = new Map(past.map(({ line, time }) => [line.service, time]));
  const followed = new Set<string>();
  const lines = new MergedStreams<TimedLine>();
  const follow = (service: string) => {
    if (!query.services.includes(service) || followed.has(service)) return;
    followed.add(service);
    const after = newest.get(service);
    // None of its lines was asked for, or it had none.
    const from = after === undefined && query.tail === 0 ? { tail: 0 } : { since: after };
    lines.add(newerThan(after, linesOf(client, run, service, { follow: true, ...from }, signal)), () => {
      followed.delete(service);
    });
  };
  for (const service of query.services) follow(service);
  lines.watch(starts, ({ service, type }) => {
    if (type === 'started') follow(service);
  });
  for await (const { line, time } of lines.read()) {
    newest.set(line.service, time);
    yield line;
  }
}

/** Docker takes "since" to mean "from that moment on", so the last known line comes again. */
async function* newerThan(time: string | undefined, lines: AsyncIterable<TimedLine>) {
  for await (const line of lines) if (time === undefined || line.time > time) yield line;
}

/** Lines of one service; none when it has no container. */
async function* linesOf(
  client: DockerClient,
  run: RunIdentity,
  service: string,
  part: ProgramOptions,
  signal: AbortSignal,
): AsyncGenerator<TimedLine, void, undefined> {
  const args = argumentList(['logs'], { timestamps: true, ...part }, [containerName(run, service)]);
  try {
    for await (const output of client.lines(args, { signal })) {
      const line = timedLine(service, output);
      if (line !== undefined) yield line;
    }
  } catch (error) {
    const isMissing = isArgusError(error) && error.code === dockerObjectMissing.code;
    if (!isMissing) throw error;
  }
}
