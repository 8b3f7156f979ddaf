import type { Line } from '../text/line.js';
import { textWidth } from '../text/line.js';
import { type MarkedState, markOf } from '../text/mark.js';
import { took } from '../text/took.js';

/** A check as it stands in a list. */
export interface ListedCheck {
  readonly name: string;
  readonly target?: string | undefined;
  readonly state: MarkedState;
  readonly message: string;
  /** Milliseconds. */
  readonly duration?: number;
}

/** The lines of a list of checks where there is no terminal, their messages one below the other. */
export function checkLines(checks: readonly ListedCheck[]): Line[] {
  const width = Math.min(40, Math.max(0, ...checks.map((check) => textWidth(titleOf(check)))));
  return checks.map((check) => {
    const { state, message, duration } = check;
    const title = titleOf(check);
    const gap = ' '.repeat(Math.max(0, width - textWidth(title)));
    const time: Line = duration === undefined ? [] : [[`  ${took(duration)}`, 'dim']];
    return [markOf(state, false), ' ', title, `${gap}  `, message, ...time];
  });
}

function titleOf({ name, target }: ListedCheck): string {
  return target === undefined ? name : `${name} ${target}`;
}
