import type { StructuredError } from '@argusai/core';
import type { Io, Output } from '../io.js';
import type { Call, Outcome } from '../outcome.js';
import { askAt } from './consent.js';
import { errorLines } from './error.js';
import { type Line, paint } from './line.js';
import { LiveList } from './live-list.js';
import { LiveRegion } from './live-region.js';
import { logLine } from './log-line.js';
import { noticeLines } from './problem.js';
import { progressLines } from './progress-lines.js';
import { redactedStack } from './redacted-stack.js';
import { RepairStatus } from './repair-status.js';
import type { Appearance, Reporter } from './reporter.js';
import { wantsColor } from './wants-color.js';
import { wrapLines } from './wrap.js';

/** Operations whose work begins and ends with a check, and that tell the rest in their result. */
const checkingOperations = ['fix', 'plan-recovery', 'apply-recovery'];

/** Shows a run to people: live on a terminal, plain lines elsewhere. */
export function prettyReporter(io: Io, { color, debug }: Appearance): Reporter {
  const { stdout, stderr, env, cwd } = io;
  const isLiveOn = ({ isTTY }: Output) => isTTY && !env.CI && env.TERM !== 'dumb';
  let list: LiveList | undefined;
  let status: RepairStatus | undefined;

  const write = (output: Output, lines: readonly Line[]) =>
    output.write(paint(lines, { color: wantsColor({ color, env }, output.isTTY) }));
  /** Texts are broken at words where the width is known: a terminal breaks them anywhere. */
  const tell = (output: Output, lines: readonly Line[]) =>
    write(output, output.isTTY ? wrapLines(lines, output.columns - 1) : lines);
  const region = (output: Output, other: Output) =>
    new LiveRegion(output, wantsColor({ color, env }, true), other.isTTY ? [other] : []);

  const linesOf = (call: Call, data: unknown, output: Output): Line[] => {
    const columns = isLiveOn(output) ? { columns: output.columns } : {};
    return call.command.view.lines?.(data, { kernel: call.kernel, input: call.input, ...columns }) ?? [];
  };

  const showResult = ({ envelope, call, text }: Outcome) => {
    if (text !== undefined) return stdout.write(text);
    if (!envelope.ok) {
      const scene = { cwd, ...(call ? { kernel: call.kernel, command: call.command.name } : {}) };
      return tell(stderr, errorLines(envelope.error, scene));
    }
    if (!call?.command.view.lines) return stdout.write(`${JSON.stringify(envelope.data, null, 2)}\n`);
    const output = call.command.view.leavesStdout ? stderr : stdout;
    tell(output, linesOf(call, envelope.data, output));
  };

  return {
    begin({ kernel, command }) {
      kernel.events.subscribe((event) => {
        if (event.type === 'log_line') write(stdout, [logLine(event.data)]);
        else if (!command.view.unsaid?.includes(event.type)) {
          const lines = progressLines(event);
          if (lines.length > 0) write(stderr, lines);
        }
      });
      const { name } = command.operation;
      if (name === 'preflight-check' && isLiveOn(stdout)) {
        list = new LiveList(kernel, stdout, region(stdout, stderr));
        kernel.events.subscribe((event) => list?.show(event));
      } else if (checkingOperations.includes(name) && isLiveOn(stderr)) {
        status = new RepairStatus(() => region(stderr, stdout));
        kernel.events.subscribe((event) => status?.show(event));
      }
    },
    ask() {
      const prompt = io.prompt?.();
      if (!prompt) return undefined;
      return askAt(prompt, (lines) => {
        status?.pause();
        tell(stderr, lines);
      });
    },
    end(outcome) {
      const { envelope, call, notice, thrown } = outcome;
      status?.close();
      if (list && call && envelope.ok) {
        list.finish(linesOf(call, envelope.data, stdout));
      } else {
        // What was found before it was ended stays where it is.
        list?.finish();
        showResult(outcome);
      }
      list = undefined;
      tell(
        stderr,
        untold(outcome).flatMap((notice) => noticeLines(call?.kernel, notice)),
      );
      if (notice) tell(stderr, errorLines(notice, { cwd }));
      if (debug && thrown instanceof Error) stderr.write(`${redactedStack(thrown, env)}\n`);
      return outcome.exitCode;
    },
  };
}

/** The notices that the data itself does not show already. */
function untold({ envelope }: Outcome): readonly StructuredError[] {
  const data = envelope.ok ? (envelope.data as { readonly notices?: unknown } | null) : undefined;
  const shown = Array.isArray(data?.notices) ? (data.notices as StructuredError[]) : [];
  const isShown = ({ code, message }: StructuredError) =>
    shown.some((one) => one.code === code && one.message === message);
  return (envelope.notices ?? []).filter((notice) => !isShown(notice));
}
