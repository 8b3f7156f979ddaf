import type { ResultOf } from '@argusai/core';
import type { Line } from '../text/line.js';

/** Why there is no more to follow. */
export function logsEndLines({ runId, over }: ResultOf<'logs'>): Line[] {
  return over ? [[['over', 'dim'], `: run ${runId} was taken down`]] : [];
}
