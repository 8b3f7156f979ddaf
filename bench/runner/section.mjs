import { judge } from './judge.mjs';

const cells = (/** @type {string[]} */ ...values) => `| ${values.join(' | ')} |`;
const number = (/** @type {number} */ value) =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);

/**
 * @typedef {import('./judge.mjs').Row} Row
 * @typedef {object} Table
 * @property {string} title
 * @property {readonly Row[]} rows
 * @property {number} rounds
 * @property {string} unit
 * @property {string} [floor] What it is compared with first.
 * @property {readonly string[]} [peers]
 * @property {readonly import('./judge.mjs').Bar[]} bars
 */

/**
 * What one benchmark found, as it stands in the results, and its verdicts.
 * @param {{ title: string, about: string, machine: string, tables: readonly Table[], notes?: readonly string[] }} found
 */
export function section({ title, about, machine, tables, notes = [] }) {
  const judged = tables.map((table) => ({ table, bars: table.bars.map((bar) => judge(bar, table)) }));
  const text = [
    `## ${title}`,
    '',
    about,
    '',
    `Measured ${machine}.`,
    ...notes.flatMap((note) => ['', note]),
    ...judged.flatMap(({ table, bars }) => ['', ...tableLines(table), '', ...barLines(bars)]),
  ].join('\n');
  return { text, verdicts: judged.flatMap(({ bars }) => bars.map(({ verdict }) => verdict)) };
}

/** @param {Table} table */
function tableLines({ title, rows, rounds, unit, floor, peers = [] }) {
  const references = [...(floor === undefined ? [] : [floor]), ...peers];
  const head = ['', `median, ${unit}`, `p10 to p90, ${unit}`, ...references.map((name) => `× ${name}`)];
  return [
    `### ${title}`,
    '',
    `${rounds} rounds, each of which takes every row in turn.`,
    '',
    cells(...head),
    cells(...head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => tableRow(row, references, rows)),
  ];
}

/**
 * @param {Row} row
 * @param {readonly string[]} references
 * @param {readonly Row[]} rows
 */
function tableRow(row, references, rows) {
  if ('missing' in row) return cells(row.name, row.missing, ...references.map(() => ''), '');
  const ratios = references.map((name) => {
    const reference = rows.find((other) => other.name === name);
    return reference && 'median' in reference ? (row.median / reference.median).toFixed(2) : '';
  });
  return cells(row.name, number(row.median), `${number(row.p10)} to ${number(row.p90)}`, ...ratios);
}

/** @param {readonly ReturnType<typeof judge>[]} judged */
function barLines(judged) {
  if (judged.length === 0) return ['No bar.'];
  return [
    cells('bar', 'measured', ''),
    cells('---', '---', '---'),
    ...judged.map(({ of, limit, value, verdict }) => cells(`${of} ${limit}`, value, `**${verdict}**`)),
  ];
}
