import type { StructuredError } from '@argusai/core';
import { begunStepLines } from '../recovery/begun-steps.js';
import type { Line } from '../text/line.js';
import { shortened } from '../text/shortened.js';
import { listedProblems } from './listed-problems.js';
import { type ErrorScene, nextSteps } from './next-steps.js';
import { reportOf } from './report-of.js';

/** An error for people: what happened, its code, each problem on a line of its own, and what to do next. */
export function errorLines(error: StructuredError, scene: ErrorScene): Line[] {
  return shortened([
    [['error', 'red'], `: ${error.message}`],
    ['code: ', [error.code, 'bold']],
    ...listedProblems(error, scene.cwd).map((problem): Line => [`  ${problem}`]),
    ...outputOf(error),
    ...rollbackOf(error),
    ...begunStepLines(error),
    ...reportOf(error).map((text): Line => [text]),
    ...nextSteps(error, scene).map((step): Line => [['next: ', 'cyan'], step]),
  ]);
}

/** How many of the last lines of output are shown. */
const shownLines = 20;

/** What a service printed last. Of a build everything was shown when it came. */
function outputOf({ code, details }: StructuredError): Line[] {
  const lines = Array.isArray(details.lines) && code !== 'BUILD_FAILED' ? details.lines : [];
  const shown = lines.slice(-shownLines);
  const cut = lines.length > shown.length ? ` (the last ${shown.length} of ${lines.length} lines)` : '';
  if (shown.length === 0) return code === 'HEALTH_CHECK_TIMEOUT' ? [['it has printed nothing']] : [];
  return [[`its output${cut}:`], ...shown.map((line): Line => [['  | ', 'dim'], String(line)])];
}

/** What became of what had been started when it failed. */
function rollbackOf({ details }: StructuredError): Line[] {
  const { removed, left, gone, failed } = (details.rollback ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(removed) || !Array.isArray(failed)) return [];
  const untouched = Array.isArray(left) && left.length > 0 ? left.join(', ') : undefined;
  const isDown = failed.length === 0 && removed.length > 0;
  return [
    ...failed.map((one): Line => [['not taken down', 'red'], `: ${String(one)}`]),
    ...(failed.length > 0 ? [['argus clean takes down what is left, as soon as that is possible']] : []),
    ...(isDown ? [[['everything that was started has been taken down again', 'dim']] satisfies Line] : []),
    ...(Array.isArray(gone) && gone.length > 0
      ? [
          [
            ['gone', 'yellow'],
            `: ${gone.join(', ')} as it was before; argus setup brings back what works`,
          ] satisfies Line,
        ]
      : []),
    ...(untouched ? [[[`left as it was before: ${untouched}`, 'dim']] satisfies Line] : []),
  ];
}
