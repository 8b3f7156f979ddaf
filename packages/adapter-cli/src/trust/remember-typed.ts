import { folderToAgreeTo, isBundled, type OpenProject, recordConsent } from '@argusai/core';
import type { Io } from '../io.js';
import type { Call } from '../outcome.js';

/**
 * Remembers that a person has typed a command in a folder, so that agents may work there too, and which commands its plugins bring. What was
 * started in the background nobody has typed, to a configuration that could not be used nobody has agreed, and what needs none says
 * nothing about one.
 */
export function rememberTyped(
  project: Pick<OpenProject, 'configuration' | 'kernel'>,
  { input, command }: Pick<Call, 'input' | 'command'>,
  env: Io['env'],
): void {
  const { configuration, kernel } = project;
  const { needsConfig } = command.operation;
  if (kernel.configProblem !== undefined || needsConfig === false || input.background === true) return;
  try {
    recordConsent(folderToAgreeTo(configuration), 'typed', env, commandsOfPlugins(project));
  } catch {
    // Without it an agent is refused in other folders than its own, which says what to do.
  }
}

/** What can be typed because of plugins that do not come along. */
function commandsOfPlugins({
  configuration,
  kernel: { operations },
}: Pick<OpenProject, 'configuration' | 'kernel'>): string[] {
  const strange = configuration.plugins.filter((one) => !isBundled(one)).map(({ plugin }) => plugin.name);
  return operations
    .values()
    .filter(({ name }) => strange.includes(operations.ownerOf(name) ?? ''))
    .flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
}
