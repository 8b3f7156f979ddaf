import { spinnerAt } from '../live/spinner.js';
import { cut, type Line, type Span, type Style, textWidth } from '../text/line.js';
import { type MarkedState, markOf } from '../text/mark.js';
import { longestName, nameWidth } from '../text/name-width.js';
import { took } from '../text/took.js';
import type { ServiceProgress, SetupState, StageProgress } from './setup-state.js';

/** How a moment of a setup is drawn. */
export interface TableScene {
  readonly now: number;
  readonly columns: number;
  /** No more lines than these. */
  readonly rows: number;
  /** Nothing goes on any more: what had not come to its end never will. */
  readonly isOver?: boolean;
}

/** One line of the table, before it is laid out. */
interface Row {
  readonly mark: 'running' | 'done' | 'failed' | 'pending' | 'gone';
  readonly name: string;
  readonly style: Style;
  readonly text: string;
  readonly elapsed?: number;
}

const markedAs: Readonly<Record<Row['mark'], MarkedState>> = {
  running: 'running',
  done: 'pass',
  failed: 'fail',
  pending: 'waiting',
  gone: 'skipped',
};

/** A line for the checks, one for each service in its place, and one for what is verified in the end. */
export function progressTable(state: SetupState, scene: TableScene): Line[] {
  const [checks, verify] = [state.stage('checks'), state.stage('verify')];
  const services = state.services.map((service) => rowOf(service, state, scene));
  const stages = [checks, verify].map((stage) => (stage ? [stageRow(stage, scene)] : []));
  const all = [...(stages[0] ?? []), ...services, ...(stages[1] ?? [])];
  const width = nameWidth(all.map(({ name }) => name));
  const { shown, folded } = fold(all, scene.rows);
  return [...shown.map((row) => layOut(row, width, scene)), ...folded];
}

function rowOf(service: ServiceProgress, state: SetupState, { now, isOver = false }: TableScene): Row {
  const { name, state: at, message, begun, ended } = service;
  const elapsed = begun === undefined ? {} : { elapsed: (ended ?? now) - begun };
  const row = { name, style: 'bold' as const, text: message, ...elapsed };
  switch (at) {
    case 'built':
    case 'ready':
    case 'kept':
      return { ...row, mark: 'done' };
    case 'failed':
      return { ...row, mark: 'failed', text: `failed: ${message}` };
    case 'stopped':
      return { ...row, mark: 'gone', text: 'taken down' };
    case 'pending':
      if (isOver) return { ...row, mark: 'gone', text: 'not started' };
      return { ...row, mark: 'pending', text: pendingText(service, state) };
    default:
      return isOver ? { ...row, mark: 'gone', text: `ended while ${at}` } : { ...row, mark: 'running' };
  }
}

/** Why a service has not begun. */
function pendingText({ message, dependsOn, builds }: ServiceProgress, state: SetupState): string {
  if (message !== '') return message;
  if (builds) return 'to be built';
  const isReady = (name: string) =>
    state.services.some((one) => one.name === name && (one.state === 'ready' || one.state === 'kept'));
  const awaited = dependsOn.filter((name) => !isReady(name));
  return awaited.length === 0 ? '' : `waits for ${awaited.join(', ')}`;
}

function stageRow({ title, state, message, begun, ended }: StageProgress, { now, isOver }: TableScene): Row {
  const mark = state === 'running' && isOver ? 'gone' : state;
  return { mark, name: title, style: 'dim', text: message, elapsed: (ended ?? now) - begun };
}

/** What went well needs no line when there are not enough; what goes on and what failed does. */
function fold(rows: readonly Row[], room: number): { shown: readonly Row[]; folded: Line[] } {
  if (rows.length <= room) return { shown: rows, folded: [] };
  const isKept = new Set<Row>();
  for (const wanted of ['failed', 'running', 'pending', 'gone', 'done'] as const)
    for (const row of rows) if (row.mark === wanted && isKept.size < room - 1) isKept.add(row);
  const left = rows.filter((row) => !isKept.has(row));
  const done = left.filter(({ mark }) => mark === 'done').length;
  const more = `… and ${left.length} more${done > 0 ? `, ${done} of them ready` : ''}`;
  return { shown: rows.filter((row) => isKept.has(row)), folded: [[[more, 'dim']]] };
}

/** The time keeps its place at the end whatever has to be cut before it. */
function layOut(
  { mark, name, style, text, elapsed }: Row,
  width: number,
  { now, columns }: TableScene,
): Line {
  const front: Span = mark === 'running' ? [spinnerAt(now), 'cyan'] : markOf(markedAs[mark], true);
  const time = elapsed === undefined ? '' : `  ${mark === 'running' ? goingOn(elapsed) : took(elapsed)}`;
  const gap = ' '.repeat(Math.max(0, width - textWidth(name)));
  const line: Line = [front, ' ', ...cut([[name, style]], longestName), `${gap}  `, text];
  return [...cut(line, columns - textWidth(time)), [time, 'dim']];
}

/** How long something takes already, in steps that can be read. */
function goingOn(milliseconds: number): string {
  return milliseconds < 59_950 ? `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s` : took(milliseconds);
}
