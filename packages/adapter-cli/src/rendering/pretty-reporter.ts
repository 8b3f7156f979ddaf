import type { ResilienceEvent, StructuredError } from '@argusai/core';
import { withoutCrashNotice } from '../crash-notice.js';
import type { Io, Output } from '../io.js';
import type { Call, Outcome } from '../outcome.js';
import { askAt } from './consent.js';
import { errorLines } from './error.js';
import { understandsLinks } from './hyperlink.js';
import { type Line, paint } from './line.js';
import { LiveList } from './live-list.js';
import { type LiveLook, LiveRegion } from './live-region.js';
import type { LiveView } from './live-view.js';
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

/** A terminal shows the key that was pressed, `^C`, in front of what comes next. */
const echoColumns = 2;

/** Shows a run to people: live on a terminal, plain lines elsewhere. */
export function prettyReporter(io: Io, { color, debug }: Appearance): Reporter {
  const { stdout, stderr, env, cwd } = io;
  const isLiveOn = ({ isTTY }: Output) => isTTY && !env.CI && env.TERM !== 'dumb';
  let list: LiveList | undefined;
  let status: RepairStatus | undefined;
  let live: LiveView | undefined;

  const lookOn = (isTTY: boolean) => ({
    color: wantsColor({ color, env }, isTTY),
    links: isTTY && understandsLinks(env),
  });
  const write = (output: Output, lines: readonly Line[]) => output.write(paint(lines, lookOn(output.isTTY)));
  /** Texts are broken at words where the width is known: a terminal breaks them anywhere. */
  const tell = (output: Output, lines: readonly Line[]) => {
    if (lines.length > 0) write(output, output.isTTY ? wrapLines(lines, output.columns - 1) : lines);
  };
  /** How lines are drawn on an output, when the other one may be the same terminal. */
  const liveLook = (output: Output): LiveLook => {
    const other = output === stdout ? stderr : stdout;
    return { ...lookOn(true), others: other.isTTY ? [other] : [] };
  };
  const region = (output: Output) => new LiveRegion(output, liveLook(output));

  const sceneOf = ({ kernel, input }: Call, output: Output) => ({
    ...{ kernel, input },
    ...(isLiveOn(output) ? { columns: output.columns } : {}),
  });
  const linesOf = (call: Call, data: unknown, output: Output): Line[] =>
    call.command.view.lines?.(data, sceneOf(call, output)) ?? [];

  const showResult = ({ envelope, call, text, textAt }: Outcome) => {
    if (textAt && stdout.isTTY) return stdout.write(textAt(stdout.columns - 1));
    if (text !== undefined) return stdout.write(text);
    if (!envelope.ok) {
      const scene = {
        cwd,
        ...(call ? { kernel: call.kernel, command: call.command.name, input: call.input } : {}),
      };
      return tell(stderr, errorLines(envelope.error, scene));
    }
    if (!call?.command.view.lines) return stdout.write(`${JSON.stringify(envelope.data, null, 2)}\n`);
    const output = call.command.view.leavesStdout ? stderr : stdout;
    tell(output, linesOf(call, envelope.data, output));
  };

  /** Begins to draw what is drawn while it goes on. */
  const beginLive = async ({ kernel, command, input }: Call) => {
    const { name } = command.operation;
    const { events } = kernel;
    const output = command.view.livesOnStdout ? stdout : stderr;
    if (name === 'preflight-check' && isLiveOn(stdout)) {
      list = new LiveList(kernel, stdout, region(stdout));
      events.subscribe((event) => list?.show(event));
    } else if (checkingOperations.includes(name) && isLiveOn(stderr)) {
      status = new RepairStatus(() => region(stderr));
      events.subscribe((event) => status?.show(event));
    } else if (command.view.live && isLiveOn(output)) {
      const surface = { output, look: liveLook(output), now: () => performance.now() };
      live = await command.view.live(surface, input);
    }
  };

  /** What an event says, where results go if it is one. */
  const tellEvent = (call: Call, event: ResilienceEvent) => {
    const { view } = call.command;
    const scene = sceneOf(call, stdout);
    const result = event.type === 'log_line' ? [logLine(event.data, scene)] : view.told?.(event, scene);
    if (result) write(stdout, result);
    else if (!view.unsaid?.(event)) tell(stderr, progressLines(event));
  };

  return {
    async begin(call) {
      await beginLive(call);
      call.kernel.events.subscribe((event) => {
        if (!live?.show(event)) tellEvent(call, event);
      });
    },
    ask() {
      const prompt = io.prompt?.();
      if (!prompt) return undefined;
      return askAt(prompt, (lines) => {
        status?.pause();
        tell(stderr, lines);
      });
    },
    end(whole) {
      // Who sees both streams is told of a crash once, with what to do about it; who keeps only stdout finds it there.
      const outcome = stdout.isTTY && stderr.isTTY ? withoutCrashNotice(whole) : whole;
      const { envelope, call, notice, thrown } = outcome;
      status?.close();
      live?.close(envelope.ok);
      if (list && call && envelope.ok) {
        list.finish(linesOf(call, envelope.data, stdout));
      } else {
        // What was found before it was ended stays where it is.
        list?.finish();
        showResult(outcome);
      }
      list = undefined;
      live = undefined;
      const notices = untold(outcome).flatMap((one) => noticeLines(call?.kernel, one));
      tell(stderr, notices);
      if (notice) tell(stderr, errorLines(notice, { cwd }));
      if (debug && thrown instanceof Error) stderr.write(`${redactedStack(thrown, env)}\n`);
      return outcome.exitCode;
    },
    endAtOnce(words) {
      status?.close();
      live?.drop();
      list?.finish();
      if (words === undefined) return;
      const lines: Line[] = [[words]];
      write(stderr, stderr.isTTY ? wrapLines(lines, stderr.columns - 1 - echoColumns) : lines);
    },
  };
}

/** The notices that the data itself does not show already. A crash is told as the error that it is. */
function untold({ envelope, notice: crash }: Outcome): readonly StructuredError[] {
  const data = envelope.ok ? (envelope.data as { readonly notices?: unknown } | null) : undefined;
  const shown = Array.isArray(data?.notices) ? (data.notices as StructuredError[]) : [];
  const isShown = ({ code, message }: StructuredError) =>
    shown.some((one) => one.code === code && one.message === message);
  return (envelope.notices ?? []).filter((notice) => notice !== crash && !isShown(notice));
}
