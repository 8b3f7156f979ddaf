import type { Kernel } from '../kernel/kernel.js';
import type { CheckOutcome, Remark, ReportProblem } from '../model/check-result.js';
import type { CheckContext } from '../model/checker.js';
import { structuredError } from '../model/error-code.js';

/** The part of a check's context that all checks of a run share. */
export type SharedContext = Omit<CheckContext, 'signal'>;

/** Makes the part of the context that all checks of a run share. */
export function sharedContext({ clock, project }: Kernel): SharedContext {
  const plain =
    (status: 'pass' | 'skipped') =>
    (message: string, remark?: Remark): CheckOutcome => ({ status, message, ...remark });
  const problem =
    (status: 'warn' | 'fail'): ReportProblem =>
    (code, occurrence) => {
      const error = structuredError(code, occurrence, clock.now());
      const target = occurrence.target === undefined ? {} : { target: occurrence.target };
      const causedBy = occurrence.causedBy === undefined ? {} : { causedBy: occurrence.causedBy };
      return { status, message: error.message, details: error.details, error, ...target, ...causedBy };
    };
  return {
    pass: plain('pass'),
    unknown: (message, remark) => ({ status: 'unknown', message, ...remark }),
    skip: plain('skipped'),
    warn: problem('warn'),
    fail: problem('fail'),
    project,
    clock,
  };
}

/** One check's context. Its signal is only made when the checker asks for it: many never do. */
export class OwnContext implements CheckContext {
  readonly pass: SharedContext['pass'];
  readonly warn: SharedContext['warn'];
  readonly fail: SharedContext['fail'];
  readonly unknown: SharedContext['unknown'];
  readonly skip: SharedContext['skip'];
  readonly project: SharedContext['project'];
  readonly clock: SharedContext['clock'];
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(shared: SharedContext) {
    this.pass = shared.pass;
    this.warn = shared.warn;
    this.fail = shared.fail;
    this.unknown = shared.unknown;
    this.skip = shared.skip;
    this.project = shared.project;
    this.clock = shared.clock;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Tells the checker, if it listens, to stop. */
  abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
