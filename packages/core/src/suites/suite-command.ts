import { variableName } from '../config/variable-name.js';
import { withMovedIn } from '../environment/ports/moved-in-variables.js';
import { movedPortsIn } from '../environment/ports/moved-ports.js';
import { refuseSpeltOut } from '../environment/ports/refuse-spelt-out.js';
import { commandWords } from '../environment/services/command-words.js';
import { fillIn, type TemplateValues } from '../environment/services/template.js';
import type { Suite } from './suite.js';

/** A command with all that it needs to be run. */
export interface SuiteCommand {
  readonly argv: readonly string[];
  /** What it gets beside the environment of argus itself. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command of a suite: ports and variables filled in, and where the services are in its environment, unless its own
 * says otherwise; what is written of ports in it follows those that were moved. A line that only a shell understands is given to one whole.
 */
export function suiteCommand(suite: Suite, values: TemplateValues): SuiteCommand {
  const { command, environment, key } = suite;
  const fill = (text: string, part: string) =>
    key === undefined ? text : fillIn(text, values, `${key}.${part}`);
  const { assignments = [], ports } = values;
  const place = key === undefined ? {} : { key: `${key}.command` };
  const speltOut = movedPortsIn(command, assignments, '').map((moved) => ({ ...place, moved }));
  const byVariable = (service: string) => `$ARGUS_PORT_${variableName(service)}`;
  refuseSpeltOut(speltOut, key === undefined ? byVariable : undefined);
  const told = { service: '', from: 'here', environment } as const;
  const own = Object.entries(environment).map(([name, text]) => [
    name,
    fill(withMovedIn([name, text], told, assignments, ports), `environment.${name}`),
  ]);
  const filled = (text: string) => fill(text, 'command');
  return {
    argv: runnable(typeof command === 'string' ? filled(command) : command.map(filled)),
    env: { ...values.ports.variables(), ...named(values.vars), ...Object.fromEntries(own) },
  };
}

function runnable(command: string | readonly string[]): readonly string[] {
  if (typeof command !== 'string') return command;
  const { words, needsShell } = commandWords(command);
  return needsShell === undefined ? words : ['/bin/sh', '-c', command];
}

/** `base_url` is `ARGUS_VAR_BASE_URL`: a variable of the environment may not change what another one means. */
function named(vars: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(vars).map(([name, value]) => [
    `ARGUS_VAR_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`,
    value,
  ]);
  return Object.fromEntries(entries);
}
