import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the program and the thread that watches it count together, by its place. */
export const counted = { beats: 0, ended: 1, ready: 2 } as const;

/** What the thread is given that watches. */
export interface Watch {
  readonly beats: SharedArrayBuffer;
  /** How long the program may stand still, in milliseconds. */
  readonly limitMs: number;
  /** The folder that the program lies in. */
  readonly own: string;
  /** What is said where nothing but the end of the process helps. */
  readonly hastily: string;
}

/** Where JavaScript stood, innermost first. */
export interface Frame {
  readonly url: string;
  readonly line: number;
}

/** That the program stood still, which was ended. */
export interface Standstill {
  readonly frames: readonly Frame[];
  readonly forMs: number;
  /** The signal that did not get through meanwhile. */
  readonly signal: string | undefined;
}

/** The places that are neither our own nor in Node. */
export function placesIn(frames: readonly Frame[], own: string): { file: string; line: number }[] {
  return frames.flatMap(({ url, line }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/s, '')) : url;
    return file.includes(sep) && !file.startsWith('node:') && !file.startsWith(own + sep)
      ? [{ file, line }]
      : [];
  });
}
