import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const argusProgram = fileURLToPath(
  new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url),
);

/** The top of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** How a command ended and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a real command to its end. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string | undefined> },
): Promise<Ended> {
  const env = { ...process.env, ...options.env };
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { cwd: options.cwd, env, timeout: 120_000, maxBuffer: 64_000_000 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
  });
}

/** Runs the built `argus` with a state folder of its own. */
export function runArgus(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly state: string;
    readonly env?: Record<string, string | undefined>;
  },
): Promise<Ended> {
  // Whoever runs the tests may want colours; the tests compare texts.
  const env = { ARGUS_STATE_DIR: options.state, NO_COLOR: '1', ...options.env };
  return runCommand(process.execPath, [argusProgram, ...args], { cwd: options.cwd, env });
}
