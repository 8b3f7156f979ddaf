import { folderToAgreeTo, type OpenProject, record } from '@argusai/core';
import type { Io } from '../io.js';
import type { Call } from '../outcome.js';

/**
 * Remembers that a person has typed a command in the folder of a configuration, so that agents may work there too. What was started in
 * the background nobody has typed, and where there is no configuration nothing was agreed to.
 */
export function rememberTyped(
  { configuration }: Pick<OpenProject, 'configuration'>,
  { input }: Pick<Call, 'input'>,
  env: Io['env'],
): void {
  if (configuration.file === null || input.background === true) return;
  try {
    record(folderToAgreeTo(configuration), 'typed', env);
  } catch {
    // Without it an agent is refused in other folders than its own, which says what to do.
  }
}
