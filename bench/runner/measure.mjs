import { firstLine } from './first-line.mjs';
import { summarize } from './statistics.mjs';
import { withinTime } from './within-time.mjs';

const PATIENCE_MS = 60_000;

/**
 * What is measured: the time it takes, or the number that it gives.
 * @typedef {(round: number, given?: any) => unknown} Run
 * @typedef {{ run: Run, before?: (round: number) => unknown, after?: (result: any, round: number) => unknown }} Steps
 * @typedef {Run | Steps | { missing: string }} Contestant
 */

/**
 * @typedef {object} Measuring
 * @property {string} title
 * @property {Readonly<Record<string, Contestant>>} contestants
 * @property {number} rounds
 * @property {number} [warmUps]
 * @property {'ns' | 'µs' | 'ms'} [unit]
 * @property {number} [per] How many things one measure is of.
 * @property {number} [patienceMs] How long one measure may take.
 */

/**
 * Measures the contestants of a table in rounds that take each of them in turn, another one first each time, so that
 * whatever else the machine does meanwhile falls on all alike. Whoever fails or takes too long is out, with the reason.
 *
 * A contestant is a function, or `{ run, before, after }` of which only `run` counts; `{ missing }` says why it is not
 * there. A number that `run` gives is taken for the measure, in the unit of the table; otherwise it is the time it took.
 * @param {Measuring} table
 * @param {{ signal: AbortSignal, tell: (line: string) => void }} context
 * @returns {Promise<import('./judge.mjs').Row[]>}
 */
export async function measure(table, { signal, tell }) {
  const { title, contestants, rounds, warmUps = 2, unit = 'ms', per = 1, patienceMs = PATIENCE_MS } = table;
  const entries = Object.entries(contestants).map(entryOf);
  for (let round = -warmUps; round < rounds; round += 1) {
    if (round % Math.ceil(rounds / 4) === 0) tell(`${title}: round ${Math.max(round, 0) + 1} of ${rounds}`);
    const first = (round + warmUps) % entries.length;
    for (const entry of [...entries.slice(first), ...entries.slice(0, first)]) {
      const { steps } = entry;
      if (entry.missing !== undefined || steps === undefined) continue;
      signal.throwIfAborted();
      try {
        const value = await withinTime(() => once(steps, { round, unit, per }), { patienceMs, signal });
        if (round >= 0) entry.values.push(value);
      } catch (error) {
        signal.throwIfAborted();
        entry.missing = `failed: ${firstLine(error)}`;
        tell(`${title}: ${entry.name} ${entry.missing}`);
      }
    }
  }
  return entries.map(({ name, values, missing }) =>
    missing === undefined ? { name, ...summarize(values) } : { name, missing },
  );
}

/**
 * @param {[string, Contestant]} named
 * @returns {{ name: string, steps?: Steps, missing?: string, values: number[] }}
 */
function entryOf([name, contestant]) {
  if (typeof contestant === 'function') return { name, steps: { run: contestant }, values: [] };
  if ('missing' in contestant) return { name, missing: contestant.missing, values: [] };
  return { name, steps: contestant, values: [] };
}

const NANOSECONDS = { ns: 1, µs: 1e3, ms: 1e6 };

/**
 * @param {Steps} steps
 * @param {{ round: number, unit: 'ns' | 'µs' | 'ms', per: number }} how
 */
async function once({ run, before, after }, { round, unit, per }) {
  const given = await before?.(round);
  const begun = process.hrtime.bigint();
  let result;
  try {
    result = await run(round, given);
    const taken = Number(process.hrtime.bigint() - begun) / NANOSECONDS[unit];
    return (typeof result === 'number' ? result : taken) / per;
  } finally {
    await after?.(result, round);
  }
}
