import type { ContainerJson } from '../runtime/container-json.js';

/** So many bytes of an output the engine keeps; a longer one ends anywhere, perhaps within a secret. */
const keptByEngine = 4_096;

/** What an image's own health check said, oldest first; of one that said nothing, how it ended. */
export function healthLog({ Health: health }: Pick<ContainerJson['State'], 'Health'>): string[] {
  return (health?.Log ?? []).map(({ Output, ExitCode }) => whole(Output).trim() || `exit code ${ExitCode}`);
}

/** Without the word that the engine has cut. */
function whole(output: string): string {
  return Buffer.byteLength(output) < keptByEngine ? output : output.replace(/\S*$/, '…');
}
