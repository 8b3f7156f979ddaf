import type { LogLine } from '@argusai/core';

/** Makes one sequence of several that are each in the order of time, without holding more than a line of each. */
export async function* mergeByTime(sources: readonly AsyncGenerator<LogLine>[]): AsyncGenerator<LogLine> {
  try {
    const heads = await Promise.all(sources.map(async (source) => ({ source, line: await nextOf(source) })));
    for (;;) {
      let first: (typeof heads)[number] | undefined;
      for (const head of heads) {
        if (head.line && (!first?.line || (head.line.at ?? 0) < (first.line.at ?? 0))) first = head;
      }
      if (!first?.line) return;
      yield first.line;
      first.line = await nextOf(first.source);
    }
  } finally {
    // Whoever stops half-way has files open.
    await Promise.all(sources.map((source) => source.return(undefined)));
  }
}

async function nextOf(source: AsyncGenerator<LogLine>): Promise<LogLine | undefined> {
  const { value, done } = await source.next();
  return done ? undefined : value;
}
