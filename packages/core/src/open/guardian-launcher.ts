import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { argumentList } from '../model/argument-list.js';
import { openFresh } from '../state/own-files.js';
import type { GuardianRequest } from './open-argus.js';

/**
 * Makes what starts a program of ours as the guardian of a run. It is `spawn` and not execa: the guardian must go on when this
 * process ends, in a session of its own, with nothing but a file for its output. `program` is what comes after Node itself.
 */
export function guardianLauncher(
  program: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): (request: GuardianRequest) => Promise<void> {
  return async ({ runId, dir, file, log }) => {
    const output = openFresh(log);
    const options = {
      run: runId,
      background: true,
      'no-color': true,
      project: dir,
      config: file ?? undefined,
    };
    const args = [...program, ...argumentList(['guard'], options)];
    const guardian = spawn(process.execPath, args, {
      detached: true,
      cwd: dir,
      env: { ...env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    // That it could not be started shows when it does not come to its place.
    guardian.on('error', () => undefined);
    guardian.unref();
  };
}
