import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/**
 * A piece of a line in one look. Colours are numbers of the sixteen that every terminal has.
 * @typedef {object} Piece
 * @property {string} text
 * @property {number} column Where it begins.
 * @property {number} columns How many columns it takes.
 * @property {number | undefined} color
 * @property {boolean} isBold
 * @property {boolean} isDim
 */

/**
 * What is run, and how the terminal is.
 * @typedef {object} Recording
 * @property {readonly string[]} command
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {number} columns
 * @property {readonly { question: string, answer: string }[]} [answers] What is typed when something is asked.
 */

/**
 * Runs a program at a real terminal to its end, and gives the lines that are on the screen then.
 * @param {Recording} recording
 * @returns {Promise<Piece[][]>}
 */
export async function recordTerminal({ command, cwd, env, columns: cols, answers = [] }) {
  const rows = 60;
  const screen = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  const [file = '', ...args] = command;
  const program = spawn(file, args, { name: 'xterm-256color', cols, rows, cwd, env });
  let written = '';
  let drawn = Promise.resolve();
  const open = [...answers];
  program.onData((data) => {
    written += data;
    drawn = drawn.then(() => new Promise((resolve) => screen.write(data, resolve)));
    const [next] = open;
    if (next === undefined || !written.includes(next.question)) return;
    open.shift();
    written = '';
    program.write(`${next.answer}\r`);
  });
  await new Promise((resolve) => program.onExit(resolve));
  await drawn;
  const lines = linesOf(screen);
  screen.dispose();
  return lines;
}

/**
 * @param {import('@xterm/headless').Terminal} screen
 * @returns {Piece[][]}
 */
function linesOf({ buffer: { active }, cols }) {
  const lines = Array.from({ length: active.length }, (_, index) => {
    /** @type {Piece[]} */
    const pieces = [];
    for (let column = 0; column < cols; column += 1) {
      const cell = active.getLine(index)?.getCell(column);
      // The second half of a wide character has no width of its own.
      if (!cell || cell.getWidth() === 0) continue;
      const look = {
        color: cell.isFgPalette() ? cell.getFgColor() : undefined,
        isBold: cell.isBold() !== 0,
        isDim: cell.isDim() !== 0,
      };
      const last = pieces.at(-1);
      const text = cell.getChars() || ' ';
      const isSame = last?.color === look.color && last?.isBold === look.isBold && last?.isDim === look.isDim;
      if (last && isSame) {
        last.text += text;
        last.columns += cell.getWidth();
      } else {
        pieces.push({ text, column, columns: cell.getWidth(), ...look });
      }
    }
    return pieces.filter(({ text }) => text.trim() !== '');
  });
  const end = lines.findLastIndex((pieces) => pieces.length > 0);
  return lines.slice(0, end + 1);
}
