import type { FindLine } from './problem.js';

/** Where a configuration comes from. */
export interface ConfigOrigin {
  /** The file it was read from, or null if there is none. */
  readonly file: string | null;
  /** Other configurations beside that file, which are not read. */
  readonly passedOver?: readonly string[];
  /** What the file said, before defaults were filled in. */
  readonly raw: unknown;
  /** Finds the line of a path, for files that have such lines. */
  findLine(): Promise<FindLine>;
}

/** The origin of a configuration that nobody has written. */
export const nowhere: ConfigOrigin = { file: null, raw: {}, findLine: async () => () => undefined };
