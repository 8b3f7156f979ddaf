import { folderToAgreeTo, type OpenProject, recordConsent } from '@argusai/core';
import type { Io } from '../io.js';
import type { Call } from '../outcome.js';

/**
 * Remembers that a person has typed a command in a folder, so that agents may work there too. What was started in the background nobody
 * has typed, to a configuration that could not be used nobody has agreed, and what needs none says nothing about one.
 */
export function rememberTyped(
  { configuration, kernel }: Pick<OpenProject, 'configuration' | 'kernel'>,
  { input, command }: Pick<Call, 'input' | 'command'>,
  env: Io['env'],
): void {
  const { needsConfig } = command.operation;
  if (kernel.configProblem !== undefined || needsConfig === false || input.background === true) return;
  try {
    recordConsent(folderToAgreeTo(configuration), 'typed', env);
  } catch {
    // Without it an agent is refused in other folders than its own, which says what to do.
  }
}
