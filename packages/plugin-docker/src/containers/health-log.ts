import type { ContainerJson } from '../runtime/container-json.js';

/** What an image's own health check said, oldest first; of one that said nothing, how it ended. */
export function healthLog({ Health: health }: Pick<ContainerJson['State'], 'Health'>): string[] {
  return (health?.Log ?? []).map(({ Output, ExitCode }) => Output.trim() || `exit code ${ExitCode}`);
}
