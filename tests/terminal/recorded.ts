import { type ProcessProject, serverOn } from '../environment/process-project.js';
import { argusProgram, runCommand } from '../support/run-command.js';
import { atTerminal, type TerminalSession } from './terminal.js';

/** Where the program is started. */
type Place = Pick<ProcessProject, 'dir' | 'state'>;

/** Three services in a row; the first takes a while. */
export function threeServices(port: number, middle: object = {}): Record<string, object> {
  return {
    db: serverOn(port, { args: ['delay=400'] }),
    api: { ...serverOn(port + 1), dependsOn: ['db'], ...middle },
    web: { ...serverOn(port + 2), dependsOn: ['api'] },
  };
}

const plain = { NO_COLOR: '1' };

function environmentOf({ state }: Place, more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    ARGUS_STATE_DIR: state,
    ...plain,
    ...more,
  };
}

/** Starts the built program at a terminal. */
export function typed(
  project: Place,
  columns: number,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): TerminalSession {
  const env = environmentOf(project, more);
  return atTerminal([process.execPath, argusProgram, ...args], { columns, cwd: project.dir, env });
}

/** Runs the built program without a terminal. */
export function piped(project: Place, ...args: string[]) {
  return runCommand(process.execPath, [argusProgram, ...args], {
    cwd: project.dir,
    env: { ARGUS_STATE_DIR: project.state, CI: '' },
  });
}

/** A screen without what is different each time: how long things took, which run it was, and on which ports. */
export function steady(screen: string, port: number): string {
  return screen
    .replace(/(?:<1|\d+) ms|\d+(?:\.\d+)? s\b/g, 'T')
    .replace(/\brun [a-z0-9]{12}(?= is up|, |$)/gm, 'run RUN')
    .replace(/\b\d{5}\b/g, (found) => {
      const offset = Number(found) - port;
      return offset >= 0 && offset < 3 ? `1000${offset}` : found;
    })
    .replaceAll(process.execPath, 'node');
}
