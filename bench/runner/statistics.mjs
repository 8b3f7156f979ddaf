/**
 * The value below which this share of the values lies, between two neighbours in proportion.
 * @param {readonly number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  const [low = Number.NaN, high = low] = [sorted[below], sorted[above]];
  return low + (high - low) * (place - below);
}

/**
 * What a table says about the values of one contestant: the middle, and where eight tenths of them lie.
 * @param {readonly number[]} values
 */
export const summarize = (values) => ({
  median: quantile(values, 0.5),
  p10: quantile(values, 0.1),
  p90: quantile(values, 0.9),
  slowest: Math.max(...values),
});
