import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The processes whose command line or environment names a folder, as `pid command`; what waits to be buried does not count. */
export async function processesOf(folder: string): Promise<string[]> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute('ps', ['axeww', '-o', 'pid=,stat=,command='], options);
  const lines = stdout.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line.includes(folder) && !/^\d+\s+Z/.test(line))
    .map((line) => line.slice(0, 200));
}

/** Ends all of them, also those that were begun in the meantime. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (let left = await processesOf(folder); left.length > 0; left = await processesOf(folder)) {
    for (const line of left) endProcess(Number.parseInt(line, 10));
  }
}

/** Ends a process. One that has ended by itself is fine. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
