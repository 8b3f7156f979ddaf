import type { LogLine, LogQuery, RunIdentity } from '@argusai/core';
import { FolderWatch } from '../system/folder-watch.js';
import { mergeByTime } from './merge-by-time.js';
import { OutputReader } from './output-reader.js';
import type { Tools } from './tools.js';

const pollMs = 500;

/** The output of services, oldest first; with `follow`, what they say from then on too. */
export async function* readLogs(
  tools: Tools,
  run: RunIdentity,
  { services, tail, since = 0, follow }: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const records = await tools.records.list({ runId: run.id });
  const folders = services.map((service) => {
    const record = records.find((one) => one.service === service);
    return { service, dir: record?.dir ?? tools.records.folderOf(run.id, service) };
  });
  const readers = folders.map(({ service, dir }) => new OutputReader(dir, service));
  const watch = new FolderWatch(tools.clock, pollMs);
  try {
    // Before the first look, so that nothing falls between the two.
    if (follow) watch.follow(folders.map(({ dir }) => dir));
    else await Promise.all(readers.map((reader) => reader.endHere()));
    if (tail !== undefined) await Promise.all(readers.map((reader) => reader.skipToLast(tail)));
    while (!signal.aborted) {
      for await (const line of mergeByTime(readers.map((reader) => reader.read({ unended: !follow })))) {
        if (signal.aborted) return;
        if ((line.at ?? 0) >= since) yield line;
      }
      if (!follow) return;
      await watch.next(signal);
      // A service that came later, or came back, has a folder now.
      watch.follow(folders.map(({ dir }) => dir));
    }
  } finally {
    watch.close();
    await Promise.all(readers.map((reader) => reader.close()));
  }
}
