import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';

/** A program that runs at a real terminal. */
export interface TerminalSession {
  /** Everything that is on the screen and above it, without what is blank at the end. */
  screen(): Promise<string>;
  /** Lines that were too wide, so that the terminal had to break them. */
  broken(): Promise<string[]>;
  /** All that was ever written, control codes included. */
  written(): string;
  /** Waits until the screen shows this. */
  shows(text: string | RegExp): Promise<void>;
  /** Types, as a person would; `\x03` is Ctrl-C. */
  type(text: string): void;
  /** The exit code, once the program has ended. */
  ended(): Promise<number>;
}

/** How the terminal is. */
export interface TerminalOptions {
  readonly columns: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program at a pseudo-terminal of the system, whose screen a terminal emulator keeps. */
export function atTerminal(command: readonly string[], options: TerminalOptions): TerminalSession {
  const { columns: cols, rows = 40, cwd, env = {} } = options;
  const screen = new xterm.Terminal({ cols, rows, scrollback: 1_000, allowProposedApi: true });
  const [file = '', ...args] = command;
  const program = spawn(file, [...args], { name: 'xterm-256color', cols, rows, cwd, env: { ...env } });
  let written = '';
  let drawn = Promise.resolve();
  program.onData((data) => {
    written += data;
    drawn = drawn.then(() => new Promise((resolve) => screen.write(data, resolve)));
  });
  const exit = new Promise<number>((resolve) => {
    program.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode));
  });
  let hasEnded = false;
  exit.then(() => {
    hasEnded = true;
  });
  onTestFinished(() => {
    if (!hasEnded) program.kill('SIGKILL');
    screen.dispose();
  });

  const read = async (): Promise<string> => {
    await drawn;
    const { active } = screen.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, index) => active.getLine(index)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  };
  return {
    screen: read,
    async broken() {
      await drawn;
      const { active } = screen.buffer;
      const lines = Array.from({ length: active.length }, (_, index) => active.getLine(index));
      return lines.flatMap((line) => (line?.isWrapped ? [line.translateToString(true)] : []));
    },
    written: () => written,
    async shows(text) {
      const isThere = (all: string) => (typeof text === 'string' ? all.includes(text) : text.test(all));
      while (!isThere(await read())) {
        if (hasEnded && !isThere(await read())) {
          throw new Error(`The program has ended and never showed ${text}:\n${await read()}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    type: (text) => program.write(text),
    ended: () => exit,
  };
}
