import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How packages are installed. Another program may be installing something at this moment. */
export const apt = ['apt-get', '-o', 'DPkg::Lock::Timeout=120'];

/** Runs commands that install something, one after the other, up to the first that fails. Gives the reason then. */
export async function runAll(commands: readonly (readonly string[])[]): Promise<string | undefined> {
  for (const [file = '', ...args] of commands) {
    try {
      await promisify(execFile)(file, args, {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        timeout: 300_000,
        maxBuffer: 64 * 1024 * 1024,
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return message.trim().split('\n').slice(-3).join(' | ');
    }
  }
  return undefined;
}
