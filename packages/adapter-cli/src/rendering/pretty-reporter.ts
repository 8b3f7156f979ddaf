import type { ResilienceEvent, StructuredError } from '@argusai/core';
import type { Io, Output } from '../io.js';
import type { Call, Outcome } from '../outcome.js';
import { askAt } from './consent.js';
import { errorLines } from './error.js';
import { understandsLinks } from './hyperlink.js';
import { type Line, paint } from './line.js';
import { LiveList } from './live-list.js';
import type { LiveView } from './live-view.js';
import { logLine } from './log-line.js';
import { noticeLines } from './problem.js';
import { progressLines } from './progress-lines.js';
import { redactedStack } from './redacted-stack.js';
import type { Appearance, Reporter } from './reporter.js';
import { wrapLines } from './wrap.js';

/** Shows a run to people: live on a terminal, plain lines elsewhere. */
export function prettyReporter(io: Io, { color, debug }: Appearance): Reporter {
  const { stdout, stderr, env, cwd } = io;
  const colorOn = (isTTY: boolean) => color && isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  const linksOn = (isTTY: boolean) => isTTY && understandsLinks(env);
  const isLiveOn = ({ isTTY }: Output) => isTTY && !env.CI && env.TERM !== 'dumb';
  let list: LiveList | undefined;
  let live: LiveView | undefined;

  const painted = (lines: readonly Line[], { isTTY }: Output) =>
    paint(lines, { color: colorOn(isTTY), links: linksOn(isTTY) });
  /** So that no terminal has to break a line. */
  const fitted = (lines: readonly Line[], output: Output) =>
    isLiveOn(output) ? wrapLines(lines, output.columns) : lines;
  const say = (text: string) => (live ? live.say(text) : stderr.write(text));
  const show = (lines: readonly Line[]) => stdout.write(painted(lines, stdout));
  const showError = (lines: readonly Line[]) => {
    if (lines.length > 0) say(painted(fitted(lines, stderr), stderr));
  };

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
    if (leavesStdout) showError(lines);
    else show(fitted(lines, stdout));
  };

  const beginLive = async ({ kernel, command, input }: Call) => {
    const surface = { color: colorOn(true), links: linksOn(true), now: () => performance.now() };
    if (isLiveOn(stdout) && command.operation.name === 'preflight-check') {
      list = new LiveList(stdout, surface.color);
      kernel.events.subscribe((event) => list?.show(event));
      return;
    }
    const output = command.view.livesOnStdout ? stdout : stderr;
    if (command.view.live && isLiveOn(output)) live = await command.view.live({ ...surface, output }, input);
  };

  /** What an event says, where results go if it is one. */
  const tell = ({ kernel, command: { view }, input }: Call, event: ResilienceEvent) => {
    const columns = isLiveOn(stdout) ? { columns: stdout.columns } : {};
    const scene = { kernel, input, ...columns };
    const result = event.type === 'log_line' ? [logLine(event.data, scene)] : view.told?.(event, scene);
    if (result) show(result);
    else if (!view.unsaid?.includes(event.type)) showError(progressLines(event));
  };

  return {
    async begin(call) {
      await beginLive(call);
      call.kernel.events.subscribe((event) => {
        if (!live?.show(event)) tell(call, event);
      });
    },
    say,
    ask() {
      const prompt = io.prompt?.();
      return prompt && askAt(prompt, showError);
    },
    end(outcome) {
      list?.close();
      list = undefined;
      live?.close(outcome.envelope.ok);
      live = undefined;
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
