import type { Line } from './line.js';
import { took } from './took.js';

/** The part of a list of faults that is shown. */
export interface ShownFaults {
  readonly faults: readonly { name: string; summary: string; lasts: boolean; expect: string }[];
}

/** What can be broken, for people: each with what it does and the code that should come of it. */
export function faultListLines({ faults }: ShownFaults): Line[] {
  return [
    ...faults.flatMap(({ name, summary, lasts, expect }): Line[] => [
      [[name, 'bold'], `  ${summary}`],
      [[`  reported as ${expect}${lasts ? ', taken back when the time is up' : ''}`, 'dim']],
    ]),
    [['next: ', 'cyan'], 'argus fault inject FAULT --service NAME'],
  ];
}

/** The part of a fault that happened that is shown. */
export interface ShownHarm {
  readonly fault: string;
  readonly target: string;
  readonly message: string;
  readonly expect: string;
  readonly undone: boolean;
  readonly lastedMs: number;
}

/** A fault for people: what was done, whether it is over, and where to see what came of it. */
export function harmLines({ fault, target, message, expect, undone, lastedMs }: ShownHarm): Line[] {
  return [
    [[fault, 'bold'], ` ${target}: ${message}`],
    ...(undone ? [[`taken back after ${took(lastedMs)}`] satisfies Line] : []),
    [['next: ', 'cyan'], `argus status and argus incidents show what came of it; expected is ${expect}`],
  ];
}
