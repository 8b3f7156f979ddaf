import type { ResultOf } from '@argusai/core';
import type { Line } from '../text/line.js';
import { took } from '../text/took.js';

/** What can be broken, for people: each with what it does and the code that should come of it. */
export function faultListLines({ faults }: ResultOf<'fault-list'>): Line[] {
  return [
    ...faults.flatMap(({ name, summary, lasts, expect }): Line[] => [
      [[name, 'bold'], `  ${summary}`],
      [[`  reported as ${expect}${lasts ? ', taken back when the time is up' : ''}`, 'dim']],
    ]),
    [['next: ', 'cyan'], 'argus fault inject FAULT --service NAME'],
  ];
}

/** A fault for people: what was done, whether it is over, and where to see what came of it. */
export function harmLines({
  fault,
  target,
  message,
  expect,
  undone,
  lastedMs,
}: ResultOf<'fault-inject'>): Line[] {
  return [
    [[fault, 'bold'], ` ${target}: ${message}`],
    ...(undone ? [[`taken back after ${took(lastedMs)}`] satisfies Line] : []),
    [['next: ', 'cyan'], `argus status and argus incidents show what came of it; expected is ${expect}`],
  ];
}
