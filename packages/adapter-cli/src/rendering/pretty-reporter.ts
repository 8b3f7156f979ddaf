import type { StructuredError } from '@argusai/core';
import type { Io, Output } from '../io.js';
import type { Outcome } from '../outcome.js';
import { askAt } from './consent.js';
import { errorLines } from './error.js';
import { type Line, paint } from './line.js';
import { LiveList } from './live-list.js';
import { logLine } from './log-line.js';
import { noticeLines } from './problem.js';
import { progressLines } from './progress-lines.js';
import { redactedStack } from './redacted-stack.js';
import type { Appearance, Reporter } from './reporter.js';

/** Shows a run to people: live on a terminal, plain lines elsewhere. */
export function prettyReporter(io: Io, { color, debug }: Appearance): Reporter {
  const { stdout, stderr, env, cwd } = io;
  const colorOn = (isTTY: boolean) => color && isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  const isLiveOn = ({ isTTY }: Output) => isTTY && !env.CI && env.TERM !== 'dumb';
  let list: LiveList | undefined;

  const show = (lines: readonly Line[]) => stdout.write(paint(lines, { color: colorOn(stdout.isTTY) }));
  const showError = (lines: readonly Line[]) => stderr.write(paint(lines, { color: colorOn(stderr.isTTY) }));

  const showResult = ({ envelope, call, text }: Outcome) => {
    if (text !== undefined) return stdout.write(text);
    if (!envelope.ok) {
      const scene = { cwd, ...(call ? { kernel: call.kernel, command: call.command.name } : {}) };
      return showError(errorLines(envelope.error, scene));
    }
    if (!call?.command.view.lines) return stdout.write(`${JSON.stringify(envelope.data, null, 2)}\n`);
    const { kernel, input } = call;
    const { leavesStdout = false } = call.command.view;
    const output = leavesStdout ? stderr : stdout;
    const columns = isLiveOn(output) ? { columns: output.columns } : {};
    const lines = call.command.view.lines(envelope.data, { kernel, input, ...columns });
    (leavesStdout ? showError : show)(lines);
  };

  return {
    begin({ kernel, command }) {
      kernel.events.subscribe((event) => {
        if (event.type === 'log_line') show([logLine(event.data)]);
        else if (!command.view.unsaid?.includes(event.type)) showError(progressLines(event));
      });
      if (!isLiveOn(stdout) || command.operation.name !== 'preflight-check') return;
      list = new LiveList(stdout, colorOn(true));
      kernel.events.subscribe((event) => list?.show(event));
    },
    ask() {
      const prompt = io.prompt?.();
      return prompt && askAt(prompt, showError);
    },
    end(outcome) {
      list?.close();
      list = undefined;
      showResult(outcome);
      showError(untold(outcome).flatMap((notice) => noticeLines(outcome.call?.kernel, notice)));
      if (outcome.notice) showError(errorLines(outcome.notice, { cwd }));
      if (debug && outcome.thrown instanceof Error) stderr.write(`${redactedStack(outcome.thrown, env)}\n`);
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
