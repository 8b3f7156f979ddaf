import { commandWords, type Project, type ServiceSpec } from '@argusai/core';
import { actualPort } from '../system/taken-port.js';

/** A command with all that it needs to be run. */
export interface PreparedCommand {
  readonly argv: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Why it runs in a shell, when it does. */
  readonly shell?: string;
}

/** Prepares a command to be run for a service: with the user's environment and, over it, the service's. */
export function prepareCommand(
  command: string | readonly string[],
  service: ServiceSpec,
  project: Project,
): PreparedCommand {
  const env = { ...userEnvironment(), ...portVariable(service), ...service.environment };
  return { ...runnable(command), cwd: project.dir, env };
}

/** The words of a command. A line that only a shell understands is given to one whole. */
function runnable(command: string | readonly string[]): Pick<PreparedCommand, 'argv' | 'shell'> {
  if (typeof command !== 'string') return { argv: [...command] };
  const { words, needsShell: shell } = commandWords(command);
  return shell === undefined ? { argv: [...words] } : { argv: ['/bin/sh', '-c', command], shell };
}

/** The environment that argus itself was started with. */
export function userEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** A program with one port usually asks for it by this name. */
function portVariable({ ports: [only, ...more] }: ServiceSpec): { PORT?: string } {
  return only && more.length === 0 ? { PORT: String(actualPort(only)) } : {};
}
