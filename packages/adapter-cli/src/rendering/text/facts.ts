import { formatSize, type JsonObject } from '@argusai/core';
import { ago } from './ago.js';
import { measuredAmount } from './measured-amount.js';
import { took } from './took.js';

/** Something that details tell of in names that belong together, and the names that are said with it. */
interface Told {
  readonly fact: string;
  readonly names: readonly string[];
}

/** How many of the details that nothing is known about are shown, and how long one may be. */
const [shownDetails, shownLength] = [6, 60];

/** What was measured against what was wanted, who is in the way, and whatever else can be said in a few words. */
export function factsOf(details: JsonObject, now = Date.now()): string[] {
  const told = [amount, latency, days, answer, holder].flatMap((read) => read(details) ?? []);
  const said = new Set(told.flatMap(({ names }) => names));
  const rest = Object.entries(details).filter(
    ([key, value]) => !said.has(key) && isSimple(value) && String(value).length <= shownLength,
  );
  const others = rest.slice(0, shownDetails).map(([key, value]) => `${key}: ${shown(key, value, now)}`);
  return [...told.map(({ fact }) => fact), ...(others.length === 0 ? [] : [others.join(', ')])];
}

function amount(details: JsonObject): Told | undefined {
  const measured = measuredAmount(details);
  if (measured?.required === undefined) return undefined;
  const { available, required, total, unit } = measured;
  const show = (count: number) => (unit === 'bytes' ? formatSize(count) : [count, unit].join(' ').trimEnd());
  const of = total === undefined ? '' : ` of ${show(total)}`;
  const wanted = `at least ${show(required)}`;
  return {
    ...comparison(`${show(available)}${of}`, wanted),
    names: ['available', 'required', 'critical', 'total', 'unit'],
  };
}

function latency({ latencyMs, limitMs }: JsonObject): Told | undefined {
  if (typeof latencyMs !== 'number' || typeof limitMs !== 'number') return undefined;
  return { ...comparison(took(latencyMs), `at most ${took(limitMs)}`), names: ['latencyMs', 'limitMs'] };
}

function days({ daysLeft, requiredDays }: JsonObject): Told | undefined {
  if (typeof daysLeft !== 'number' || typeof requiredDays !== 'number') return undefined;
  const names = ['daysLeft', 'requiredDays', 'validTo'];
  return { ...comparison(`${daysLeft} days left`, `at least ${requiredDays} days`), names };
}

function answer({ status, expected }: JsonObject): Told | undefined {
  if (typeof expected !== 'string') return undefined;
  const measured = typeof status === 'number' ? `status ${status}` : 'no such answer';
  return { ...comparison(measured, expected), names: ['status', 'expected'] };
}

function holder({ port, pid, command }: JsonObject): Told | undefined {
  if (typeof port !== 'number' || typeof pid !== 'number') return undefined;
  const what = typeof command === 'string' ? ` (${excerpt(command)})` : '';
  return { fact: `held by: process ${pid}${what}`, names: ['pid', 'command'] };
}

/** Enough of a command to know it by. */
function excerpt(command: string): string {
  return command.length > shownLength ? `${command.slice(0, shownLength - 1)}…` : command;
}

function comparison(measured: string, wanted: string): Pick<Told, 'fact'> {
  return { fact: `measured: ${measured}, wanted: ${wanted}` };
}

/** A time is told by how long ago that was; in details it is one for programs. */
function shown(key: string, value: unknown, now: number): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number(value);
  const isTime = key.endsWith('At') && time > 0 && time <= now;
  return isTime ? ago(now - time) : String(value);
}

function isSimple(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
