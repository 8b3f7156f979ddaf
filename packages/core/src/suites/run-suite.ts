import { noteCommand } from '../environment/commands/note-command.js';
import type { TemplateValues } from '../environment/services/template.js';
import type { Kernel } from '../kernel/kernel.js';
import type { CommandStreams } from '../model/command-streams.js';
import { type CommandEnd, runCommand } from './run-command.js';
import { exitCodeOf, type SuiteResult } from './run-report.js';
import type { Suite } from './suite.js';
import { suiteCommand } from './suite-command.js';

/** Runs one suite in the folder of the project. That its tests fail is a result, not an error. */
export async function runSuite(
  kernel: Kernel,
  runId: string,
  suite: Suite,
  values: TemplateValues,
  streams: CommandStreams | undefined,
  signal: AbortSignal,
): Promise<Omit<SuiteResult, 'restarts'>> {
  const { clock, events, project, redactor } = kernel;
  const { id, name, timeout: timeoutMs } = suite;
  const command = suiteCommand(suite, values);
  const argv = [...command.argv];
  events.emit('suite_start', { suite: id, command: argv });
  const startedAt = clock.now();
  const begun = clock.monotonic();
  const onStart = (pid: number) => noteCommand(kernel, runId, id, pid, argv);
  const onLeft = (pid: number) =>
    events.emit('cleanup_resource', { type: 'process', name: `${pid} of ${id}`, action: 'removed' });
  const end = await runCommand(command, {
    cwd: project.dir,
    clock,
    redactor,
    signal,
    timeoutMs,
    streams,
    onStart,
    onLeft,
  });
  const duration = Math.round(clock.monotonic() - begun);
  const outcome = outcomeOf(end, signal);
  const { exitCode, signal: endedBy } = end;
  events.emit('suite_end', { suite: id, outcome, exitCode, signal: endedBy, duration });
  return { id, ...(name === undefined ? {} : { name }), command: argv, outcome, startedAt, duration, ...end };
}

function outcomeOf(end: CommandEnd, signal: AbortSignal): SuiteResult['outcome'] {
  if (end.timedOut) return 'timed-out';
  if (signal.aborted) return 'interrupted';
  return exitCodeOf(end) === 0 ? 'passed' : 'failed';
}
