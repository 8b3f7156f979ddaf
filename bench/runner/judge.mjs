/**
 * What was measured of a contestant, or why it was not.
 * @typedef {{ name: string, median: number, p10: number, p90: number, slowest: number }} MeasuredRow
 * @typedef {{ name: string, missing: string }} MissingRow
 * @typedef {MeasuredRow | MissingRow} Row
 */

/**
 * @typedef {object} Bar
 * @property {string} of Who is held to it.
 * @property {string} [to] With `most`: so many times the median of this one.
 * @property {string} [over] With `most`: so much more than the median of this one.
 * @property {number} [most]
 * @property {number} [slowest] For every single measure.
 */

/**
 * Whether a bar holds. A bar is `{ of, to, most }`, so many times the median of another; `{ of, over, most }`, so much more than
 * another; or `{ of, slowest }`, for every single measure. It is unknown when one of the two could not be measured, except
 * that a contestant that is there and failed has missed it.
 * @param {Bar} bar
 * @param {{ rows: readonly Row[], unit: string }} table
 */
export function judge(bar, { rows, unit }) {
  const one = rowOf(rows, bar.of);
  const otherName = bar.to ?? bar.over;
  const other = otherName === undefined ? one : rowOf(rows, otherName);
  const about = { of: bar.of, limit: limitOf(bar, unit) };
  if ('missing' in one) {
    const verdict = one.missing.startsWith('failed') ? 'misses' : 'unknown';
    return { ...about, verdict, value: `${one.name}: ${one.missing}` };
  }
  if ('missing' in other) return { ...about, verdict: 'unknown', value: `${other.name}: ${other.missing}` };
  const { value, shown } = measured(bar, one, other, unit);
  const isHeld = value <= (bar.most ?? bar.slowest ?? Number.NaN);
  return { ...about, verdict: isHeld ? 'holds' : 'misses', value: shown };
}

/**
 * @param {readonly Row[]} rows
 * @param {string} name
 * @returns {Row}
 */
function rowOf(rows, name) {
  return rows.find((row) => row.name === name) ?? { name, missing: 'not measured' };
}

/**
 * @param {Bar} bar
 * @param {string} unit
 */
function limitOf({ to, over, most, slowest }, unit) {
  if (to !== undefined) return `≤ ${most?.toFixed(2)} × ${to}`;
  return over !== undefined ? `≤ ${most} ${unit} more than ${over}` : `≤ ${slowest} ${unit} every time`;
}

/**
 * @param {Bar} bar
 * @param {MeasuredRow} one
 * @param {MeasuredRow} other
 * @param {string} unit
 */
function measured({ to, over }, one, other, unit) {
  if (to !== undefined) {
    const ratio = one.median / other.median;
    return { value: ratio, shown: `${ratio.toFixed(2)} ×` };
  }
  const value = over === undefined ? one.slowest : one.median - other.median;
  return { value, shown: `${value.toFixed(2)} ${unit}` };
}
