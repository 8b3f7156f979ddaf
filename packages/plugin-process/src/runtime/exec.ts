import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { LastLines, type RunContext, type ServiceSpec, whenAborted } from '@argusai/core';
import { prepareCommand } from '../command/launch.js';

const defaultTimeoutMs = 30_000;
const keptOutput = 64 * 1024;

/**
 * Runs a command beside a service, on this machine and with the service's environment. It is `spawn` and not execa,
 * because a command that takes too long must be ended with everything that it has started, as one group.
 */
export async function execBeside(
  service: ServiceSpec,
  command: string | readonly string[],
  { project, clock, signal }: RunContext,
): Promise<{ exitCode: number; output: string }> {
  signal.throwIfAborted();
  const { argv, cwd, env } = prepareCommand(command, service, project);
  const [program = '', ...args] = argv;
  const timeoutMs = service.healthcheck?.timeout ?? defaultTimeoutMs;
  const output = new LastLines(keptOutput);
  const note = (text: string) => output.add(text);
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const killGroup = () => child.pid !== undefined && endGroup(child.pid);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', note);
  let tooLong = false;
  const cancel = clock.after(timeoutMs, () => {
    tooLong = true;
    killGroup();
  });
  const release = whenAborted(signal, killGroup);
  try {
    const exitCode = await endOf(child, note);
    signal.throwIfAborted();
    if (!tooLong) return { exitCode, output: String(output) };
    const said = String(output);
    const lineEnd = said === '' || said.endsWith('\n') ? '' : '\n';
    return { exitCode: 124, output: `${said}${lineEnd}it took longer than ${timeoutMs} ms` };
  } finally {
    cancel();
    release();
    // What it has left running holds its output open; a check leaves nothing behind.
    killGroup();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** The exit code as a shell would say it: 127 for a command that is not there, 128 and more for a signal. */
function endOf(child: ReturnType<typeof spawn>, note: (text: string) => void): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      note(error.message);
      resolve(error.code === 'ENOENT' ? 127 : 126);
    });
    child.once('exit', (code, signal) => {
      const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      // Its last output arrives after its end, unless something else holds the stream.
      child.once('close', () => resolve(exitCode));
      setTimeout(resolve, 100, exitCode).unref();
    });
  });
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}
