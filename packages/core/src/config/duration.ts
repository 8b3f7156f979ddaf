import { type Quantity, quantity } from './quantity.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const amount = '(\\d+(?:\\.\\d+)?)\\s*';
const syntax = new RegExp(
  `^(?:${amount}d)?\\s*(?:${amount}h)?\\s*(?:${amount}m(?!s))?\\s*(?:${amount}s)?\\s*(?:${amount}ms)?$`,
);
const factors = [day, hour, minute, second, 1];
const expected = 'a duration such as 500ms, 2s, 1m30s or 1h, or a number of milliseconds';

/** Reads a duration and gives back milliseconds. Throws what it does not understand. */
export function parseDuration(text: string | number): number {
  const milliseconds = typeof text === 'number' ? text : millisecondsOf(text.trim().toLowerCase());
  if (milliseconds === undefined || !(milliseconds >= 0 && milliseconds <= Number.MAX_SAFE_INTEGER)) {
    throw new Error(`${JSON.stringify(text)} is not a duration, expected ${expected}`);
  }
  return Math.round(milliseconds);
}

function millisecondsOf(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const match = text === '' ? null : syntax.exec(text);
  return match
    ? factors.reduce((sum, factor, index) => sum + factor * Number(match[index + 1] ?? 0), 0)
    : undefined;
}

/** Writes a duration for people, with the two largest units that matter: `500ms`, `1.5s`, `1m30s`, `2d`. */
export function formatDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < second) return `${whole}ms`;
  const tenths = Math.round(whole / 100) / 10;
  if (tenths < 60) return `${tenths}s`;
  const seconds = Math.round(whole / second);
  if (seconds < 3600) return pair(seconds, 60, 'm', 's');
  const minutes = Math.round(whole / minute);
  return minutes < 24 * 60 ? pair(minutes, 60, 'h', 'm') : pair(Math.round(whole / hour), 24, 'd', 'h');
}

function pair(count: number, step: number, large: string, small: string): string {
  const rest = count % step;
  return `${Math.floor(count / step)}${large}${rest === 0 ? '' : `${rest}${small}`}`;
}

/** The schema of a duration: text such as `2s` or a number goes in, milliseconds come out. */
export const duration: () => Quantity = quantity({
  parse: parseDuration,
  format: formatDuration,
  pattern: '^\\s*(\\d+(\\.\\d+)?|(\\d+(\\.\\d+)?\\s*([dDhHsS]|[mM][sS]?)\\s*)+)$',
  examples: ['500ms', '2s', '1m30s', '1h'],
  expected,
});
