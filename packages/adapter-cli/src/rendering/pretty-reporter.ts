import {
  isBlinding,
  printableJson,
  printableLines,
  type ResilienceEvent,
  type StructuredError,
} from '@argusai/core';
import { withoutCrashNotice } from '../crash-notice.js';
import type { Io, Output } from '../io.js';
import type { Call, Outcome } from '../outcome.js';
import { LiveList } from './live/live-list.js';
import { type LiveLook, LiveRegion } from './live/live-region.js';
import type { LiveView } from './live/live-view.js';
import { progressLines } from './live/progress-lines.js';
import { errorLines } from './problems/error.js';
import { noticeLines } from './problems/problem.js';
import { redactedStacks } from './problems/redacted-stacks.js';
import { askAt } from './recovery/consent.js';
import { RepairStatus } from './recovery/repair-status.js';
import type { Appearance, Reporter } from './reporter.js';
import { logLine } from './results/log-line.js';
import { wantsAscii } from './text/ascii.js';
import { understandsLinks } from './text/hyperlink.js';
import { type Line, paint } from './text/line.js';
import { wantsColor } from './text/wants-color.js';
import { wrapLines } from './text/wrap.js';

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
    ascii: wantsAscii(env),
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
    kernel,
    input,
    canAsk: () => io.prompt?.() !== undefined,
    ...(isLiveOn(output) ? { columns: output.columns } : {}),
  });
  const linesOf = (call: Call, data: unknown, output: Output): Line[] =>
    call.command.view.lines?.(data, sceneOf(call, output)) ?? [];

  const showResult = ({ envelope, call, text, textAt }: Outcome) => {
    if (textAt && stdout.isTTY) return stdout.write(textAt(stdout.columns - 1));
    if (text !== undefined) return stdout.write(printableLines(text));
    if (!envelope.ok) {
      const scene = {
        cwd,
        ...(call ? { kernel: call.kernel, command: call.command.name, input: call.input } : {}),
      };
      const done = call?.command.view.doneBefore?.(envelope.error, sceneOf(call, stderr)) ?? [];
      return tell(stderr, [...done, ...errorLines(envelope.error, scene)]);
    }
    if (!call?.command.view.lines) return stdout.write(`${printableJson(envelope.data, 2)}\n`);
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
      const { envelope, call, notice } = outcome;
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
      const notices = untold(outcome).flatMap((one) => {
        // What kept a command from doing all of its work is followed by the same command.
        const { command, input } = call ?? {};
        const isHindered = command !== undefined && envelope.ok && outcome.exitCode !== 0;
        const lines = noticeLines(call?.kernel, one, isHindered ? { command: command.name, input } : {});
        return isPassedOver(call, one) ? lines.slice(0, 1) : lines;
      });
      tell(stderr, notices);
      if (notice) tell(stderr, errorLines(notice, { cwd }));
      if (debug) stderr.write(redactedStacks(outcome, io));
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
  const shown = envelope.ok ? shownNotices(envelope.data) : [];
  // That a store cannot be used may be said in the words of whoever came upon it; once is enough.
  const isShown = ({ code, message }: StructuredError) =>
    shown.some((one) => one.code === code && (one.message === message || isBlinding(one)));
  return (envelope.notices ?? []).filter((notice) => notice !== crash && !isShown(notice));
}

/** What the lines of a result say already: its own notices, and of a repair those of the plan and of the check after it. */
function shownNotices(data: unknown): readonly StructuredError[] {
  const { report, after, plan } = (data ?? {}) as Record<string, unknown>;
  return [data, plan, after, (report as { after?: unknown } | null | undefined)?.after].flatMap((part) => {
    const { notices } = (part ?? {}) as { readonly notices?: unknown };
    return Array.isArray(notices) ? (notices as StructuredError[]) : [];
  });
}

/** Whether it says that the configuration was passed over, to who asks what it may say: the answer is what there is to do. */
function isPassedOver(call: Call | undefined, { code }: StructuredError): boolean {
  return call?.command.operation.needsConfig === 'or-plugins' && call.kernel.configProblem?.code === code;
}
