import type { LogLine } from '@argusai/core';
import type { OutputLine } from '../client/docker-client.js';

/** A line with its exact time, by which lines are put in order. */
export interface TimedLine {
  readonly line: LogLine;
  /** As Docker gives it: of fixed width and in UTC, so that the order of the text is the order of time. */
  readonly time: string;
  /** Of how many pieces the engine has put it together. */
  readonly pieces: number;
}

const stamped = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ?(.*)$/s;

/** Reads a line of `docker logs --timestamps`; nothing when it is Docker's own remark and not the service's. */
export function timedLine(service: string, { text, stream }: OutputLine): TimedLine | undefined {
  const [, time, rest] = stamped.exec(text) ?? [];
  if (time === undefined || rest === undefined) return undefined;
  // Docker cuts long lines into pieces, puts them together again and leaves the time of each piece inside.
  const whole = rest.length > 16_000 ? rest.replaceAll(`${time} `, '') : rest;
  const pieces = 1 + (rest.length - whole.length) / (time.length + 1);
  return { time, pieces, line: { service, stream, text: whole, at: Date.parse(time) } };
}
