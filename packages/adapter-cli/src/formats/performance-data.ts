import { printable } from '@argusai/core';
import { type MeasuredAmount, measuredAmount } from '../rendering/text/measured-amount.js';
import { findingTitle } from './finding-title.js';
import { argusItself, type Findings } from './findings.js';

/** Units that Nagios knows. Anything else is counted without one. */
const units: Readonly<Record<string, string>> = { bytes: 'B' };

/** What was measured, for Nagios: how long each check took, and how much there is of what it looked at. */
export function performanceData({ all, duration }: Pick<Findings, 'all' | 'duration'>): string {
  const looked = all.filter(({ status, check }) => status !== 'skipped' && check !== argusItself);
  const times = looked.map((finding) => [finding.check, `${decimal(finding.duration)}ms`] as const);
  const amounts = looked.flatMap((finding) => {
    const amount = measuredAmount(finding.details);
    return amount ? [[`${findingTitle(finding)} available`, amountText(amount)] as const] : [];
  });
  const data = new Map([...times, ...amounts, ['time', `${decimal(duration)}ms`] as const]);
  return [...data].map(([label, value]) => `${labelText(label)}=${value}`).join(' ');
}

/**
 * `value;warn;crit;min;max`. What there should be at least is where a warning begins: `100:` is anything below 100. From
 * where on it is critical only the check knows, and not every one says.
 */
function amountText({ available, required, critical, total, unit = '' }: MeasuredAmount): string {
  const [warn, crit] = [required, critical].map((least) => (least === undefined ? '' : `${decimal(least)}:`));
  const parts = [`${decimal(available)}${units[unit] ?? ''}`, warn, crit, '0'];
  return [...parts, ...(total === undefined ? [] : [decimal(total)])].join(';');
}

/** A quote is written twice. An equals sign ends a label and a bar is for nobody else to write. */
function labelText(label: string): string {
  return `'${printable(label).replaceAll("'", "''").replace(/[=|]/g, '_')}'`;
}

/** Digits, a sign and a point, because nothing else is read. */
function decimal(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(3).replace(/\.?0+$/, '');
}
