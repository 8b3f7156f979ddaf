import type { CheckStatus } from '@argusai/core';
import type { Span, Style } from './line.js';

/** The state of something in a list; `running` has no result yet, `waiting` has not begun, `planned` is not to begin yet. */
export type MarkedState = CheckStatus | 'running' | 'waiting' | 'planned';

const marks: Record<MarkedState, { symbol: string; style: Style }> = {
  pass: { symbol: '✓', style: 'green' },
  warn: { symbol: '!', style: 'yellow' },
  fail: { symbol: '✗', style: 'red' },
  unknown: { symbol: '?', style: 'yellow' },
  skipped: { symbol: '-', style: 'dim' },
  running: { symbol: '·', style: 'cyan' },
  waiting: { symbol: '·', style: 'dim' },
  planned: { symbol: '-', style: 'dim' },
};

/** What stands in front of a line: a symbol on a terminal, a word that can be searched for elsewhere. */
export function markOf(state: MarkedState, symbols: boolean): Span {
  const { symbol, style } = marks[state];
  return [symbols ? symbol : state.padEnd(7), style];
}
