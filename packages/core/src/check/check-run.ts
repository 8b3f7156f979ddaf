import { changesToGlobals } from '../config/intact-globals.js';
import { callTap, tapName } from '../hooks/call-tap.js';
import { isTapped } from '../hooks/is-tapped.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import type { Cause, HealthCheckResult } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import { cancelled } from '../model/core-error-codes.js';
import type { StructuredError } from '../model/error-code.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { afterHeard } from '../time/after-heard.js';
import { whenAborted } from '../time/when-aborted.js';
import { OwnContext, type SharedContext, sharedContext } from './check-context.js';
import { type CheckOptions, defaultDeadlineMs, defaultTimeoutMs } from './check-options.js';
import { type Breakage, brokenResult, foldedResult, skippedResult, toldBy } from './check-results.js';

/** One run of a set of checkers: in parallel, each under its own timeout, all under one deadline. */
export class CheckRun {
  /** What went wrong beside the checks. */
  readonly notices: StructuredError[] = [];
  /** What checks have changed of what everybody uses; it was put back. */
  readonly changed: string[] = [];
  readonly #kernel: Kernel;
  readonly #checkers: ReadonlyMap<string, Checker>;
  readonly #options: CheckOptions;
  readonly #shared: SharedContext;
  readonly #running = new Map<string, Promise<HealthCheckResult[]>>();
  /** What each outcome of a checker that follows others names as its cause. */
  readonly #causes = new Map<string, (Cause | undefined)[]>();
  readonly #stops = new Set<(breakage: Breakage) => void>();
  readonly #over = new Promise<void>((resolve) => {
    this.#stops.add(() => resolve());
  });
  /** Why no further check begins. */
  #ended: Breakage | undefined;

  constructor(kernel: Kernel, checkers: readonly Checker[], options: CheckOptions) {
    this.#kernel = kernel;
    this.#checkers = new Map(checkers.map((checker) => [checker.name, checker]));
    this.#options = options;
    this.#shared = sharedContext(kernel);
  }

  /** All results, in the order of the checkers. */
  async results(): Promise<HealthCheckResult[]> {
    const { signal, deadlineMs = defaultDeadlineMs } = this.#options;
    const cancelDeadline = afterHeard(this.#kernel.clock, deadlineMs, () =>
      this.#end({ reason: 'deadline', afterMs: deadlineMs }),
    );
    const cancel = () => this.#end({ reason: 'cancelled' });
    const release = whenAborted(signal, cancel);
    if (signal?.aborted) cancel();
    try {
      const results = await Promise.all([...this.#checkers.values()].map((checker) => this.#told(checker)));
      if (signal?.aborted) throw new ArgusError(cancelled, { message: 'The check was cancelled' });
      return results.flat();
    } finally {
      cancelDeadline();
      release();
    }
  }

  /** Ends every check that is still at it. */
  #end(breakage: Breakage): void {
    this.#ended = breakage;
    for (const stop of this.#stops) stop(breakage);
  }

  #resultOf(checker: Checker): Promise<HealthCheckResult[]> {
    const running = this.#running.get(checker.name);
    if (running) return running;
    const required = checker.requires?.flatMap((name) => this.#checkers.get(name) ?? []) ?? [];
    const result = required.length === 0 ? this.#run(checker) : this.#runAfter(required, checker);
    this.#running.set(checker.name, result);
    return result;
  }

  /** Runs a checker once those it requires are done, or not at all when one of them makes it pointless. */
  async #runAfter(required: readonly Checker[], checker: Checker): Promise<HealthCheckResult[]> {
    const results = await Promise.all(required.map((requirement) => this.#resultOf(requirement)));
    const obstacle = results.flat().find(({ status }) => status !== 'pass' && status !== 'warn');
    if (obstacle) return [skippedResult(this.#kernel, checker, obstacle)];
    return this.#run(checker);
  }

  async #run(checker: Checker): Promise<HealthCheckResult[]> {
    const { clock, hooks } = this.#kernel;
    if (isTapped(hooks.beforeCheck)) await this.#observe('beforeCheck', () => checker);
    const started = clock.monotonic();
    const outcome = await this.#outcomeOf(checker);
    if ('thrown' in outcome) this.#options.onThrown?.(outcome.thrown, checker.name);
    const duration = Math.round((clock.monotonic() - started) * 1000) / 1000;
    if ('reason' in outcome) return [brokenResult(this.#kernel, checker, outcome, duration)];
    const told = toldBy(this.#kernel, checker, outcome.returned, duration);
    if (checker.follows)
      this.#causes.set(
        checker.name,
        told.map(({ cause }) => cause),
      );
    return told.map(({ result }) => result);
  }

  /** The results of a checker for whoever listens: what another one has found the cause of is folded under that. */
  async #told(checker: Checker): Promise<HealthCheckResult[]> {
    const results = await this.#resultOf(checker);
    const causes = this.#causes.get(checker.name);
    if (!causes?.some((cause) => cause !== undefined)) return this.#announce(results);
    const followed = checker.follows?.flatMap((name) => this.#checkers.get(name) ?? []) ?? [];
    const others = (await Promise.all(followed.map((one) => this.#resultOf(one)))).flat();
    const isFound = ({ check, target }: Cause) =>
      others.some((one) => one.name === check && one.target === target && one.error !== undefined);
    return this.#announce(
      results.map((result, index) => {
        const cause = causes[index];
        return cause && result.error && isFound(cause) ? foldedResult(result, cause) : result;
      }),
    );
  }

  /** What the checker says, or how it broke; whichever comes first. */
  #outcomeOf(checker: Checker): Promise<{ returned: unknown } | Breakage> {
    if (this.#ended) return Promise.resolve(this.#ended);
    const { clock } = this.#kernel;
    return new Promise((resolve) => {
      const context = new OwnContext(this.#shared);
      const settle = (outcome: { returned: unknown } | Breakage) => {
        this.#putBack();
        cancelTimeout();
        this.#stops.delete(stop);
        resolve(outcome);
      };
      const stop = (breakage: Breakage) => {
        settle(breakage);
        context.abort(new Error(`${checker.name} was stopped: ${breakage.reason}`));
      };
      const timeoutMs = checker.timeoutMs ?? defaultTimeoutMs;
      const isOverdue = () => stop({ reason: 'timeout', afterMs: timeoutMs });
      const cancelTimeout = afterHeard(clock, timeoutMs, isOverdue);
      this.#stops.add(stop);
      const started = clock.monotonic();
      const called = callCheck(checker, context);
      // At once, or the results of all others would be made with it.
      this.#putBack();
      // It held the whole process up, its own time limit too.
      if (clock.monotonic() - started > timeoutMs) isOverdue();
      called.then(
        (returned) => settle({ returned }),
        (thrown) => settle({ reason: 'threw', thrown }),
      );
    });
  }

  #putBack(): void {
    this.changed.push(...changesToGlobals());
  }

  async #announce(results: HealthCheckResult[]): Promise<HealthCheckResult[]> {
    const { hooks, events } = this.#kernel;
    for (const result of results) {
      if (events.isUsed) {
        const { name, target, status, message, duration } = result;
        events.emit('preflight_check', { name, ...(target && { target }), status, message, duration });
      }
      if (isTapped(hooks.afterCheck)) await this.#observe('afterCheck', () => structuredClone(result));
    }
    return results;
  }

  /** Waits for the observers, but not beyond the deadline. One that breaks or takes too long is reported and stops no check. */
  async #observe(hook: 'beforeCheck' | 'afterCheck', told: () => unknown): Promise<void> {
    const { hooks, clock } = this.#kernel;
    for (const tap of hooks[hook].taps) {
      const isLate = this.#ended !== undefined;
      const late = this.#over.then(() => true);
      try {
        const isLeft = await Promise.race([callTap(hook, tap, told(), clock).then(() => false), late]);
        // What was only begun when time was up has not used it up.
        if (isLeft && !isLate)
          this.#note(new Error(`${tapName(hook, tap)} had not come to an end when time was up`));
      } catch (thrown) {
        this.#note(thrown);
      }
    }
  }

  /** Keeps what went wrong beside the checks, once: the same observer is told of every check. */
  #note(thrown: unknown): void {
    const notice = toStructuredError(thrown, this.#kernel.clock.now());
    if (!this.notices.some(({ message }) => message === notice.message)) this.notices.push(notice);
  }
}

/** Calls a checker so that a throw before its first `await` is a rejection like any other. */
async function callCheck(checker: Checker, context: OwnContext): Promise<unknown> {
  return checker.check(context);
}
