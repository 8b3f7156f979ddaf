import {
  cancelled,
  guardRun,
  type Kernel,
  type OpenProject,
  type Operation,
  runOperation,
} from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { nextAfter, nextAfterError, withoutAction } from '../answer/next-call.js';
import type { Call } from '../session/call.js';
import type { Session } from '../session/session.js';
import { worldOf } from '../session/world-of.js';
import { consentTo } from './consent.js';
import { humanLine, keyOf } from './going-in-circles.js';
import { hasChanged } from './has-changed.js';
import { effectsOf } from './json-schema.js';
import { leftToPerson } from './left-to-person.js';
import { operationInput } from './operation-input.js';
import { ownWork } from './own-work.js';
import { stepOf } from './progress.js';
import { refusal } from './refusal.js';
import { reportIn } from './report-in.js';
import { isQuestion, type Question, type Request } from './request.js';
import { untilPatienceEnds } from './until-patience-ends.js';

/** A call with what it works on. */
export interface Work extends Request {
  readonly project: OpenProject;
  readonly operation: Operation;
}

/** Runs an operation once it is agreed to, and gives its answer, or what goes on when that takes too long. */
export async function perform(session: Session, call: Call, work: Work): Promise<Answer | Question> {
  const { project, operation, args, signal, canAsk, answers, shown } = work;
  const { plans } = session;
  const { kernel, close } = project;
  const { input, confirm } = operationInput(operation, args);
  const consent = await consentTo({
    ...{ kernel, operation, input, confirm, canAsk, answers, shown, plans, signal },
  });
  if (typeof consent === 'string' || isQuestion(consent)) {
    await close();
    return typeof consent === 'string' ? refusal(work, input, consent === 'declined') : consent;
  }
  const agreed = { ...work, input: consent.input, byPerson: consent.by === 'person' };
  const changes = !effectsOf(operation, agreed.input).readOnly;
  if (changes) call.dir = kernel.project.dir;
  session.follow(call, changes);
  session.begin(call, (stop) => carryOut(session, call, agreed, stop));
  return untilPatienceEnds(call, work, session.surroundings.patienceMs);
}

interface Agreed extends Work {
  readonly input: Readonly<Record<string, unknown>>;
  /** A person has agreed to it. */
  readonly byPerson: boolean;
}

async function carryOut(session: Session, call: Call, work: Agreed, signal: AbortSignal): Promise<Answer> {
  const { project, operation, input, byPerson, onStep } = work;
  const { kernel } = project;
  const unsubscribe = kernel.events.subscribe((event) => {
    session.hear(event, call);
    const step = stepOf(event);
    if (step === undefined) return;
    call.note(step);
    onStep?.(step);
  });
  // Only where it has failed before does it matter what has changed since.
  const before = session.failures.hasFailed(keyOf(work.tool, work.args)) ? await look(kernel) : '';
  const surface = byPerson ? { ask: async () => true } : { unattended: true };
  const envelope = await runOperation(kernel, operation, input, signal, surface);
  unsubscribe();
  const answer = ownWork(session, call, envelope) ?? (await toAnswer(session, work, envelope, before));
  // What cannot be closed in order goes with the process; the answer is true all the same.
  if (!isGuardedFromNow(session, work, answer)) await project.close().catch(() => undefined);
  return answer;
}

async function toAnswer(
  session: Session,
  { tool, args, operation, input, project }: Agreed,
  envelope: Awaited<ReturnType<typeof runOperation>>,
  before: string,
): Promise<Answer> {
  const { kernel } = project;
  const key = keyOf(tool, args);
  const notices = envelope.notices ? { notices: envelope.notices } : {};
  if (envelope.ok) {
    const { data } = envelope;
    session.failures.succeeded(key, hasChanged(operation, input, data));
    session.lastReport = reportIn(operation.name, data) ?? session.lastReport;
    const next = nextAfter(kernel, operation.name, data);
    const human = leftToPerson(operation.name, input, data);
    return {
      ...{ ok: true, data, ...notices },
      ...(next ? { next } : {}),
      ...(human === undefined ? {} : { human }),
    };
  }
  const { error } = envelope;
  const answer = {
    ok: false,
    error,
    ...notices,
    next: nextAfterError(kernel, withoutAction(error, operation.name)),
  };
  if (error.code === cancelled.code) return answer;
  const isHopeless = session.failures.failed(key, error, { before, after: await look(kernel) });
  return isHopeless ? { ...answer, escalate: true, human: humanLine(tool, error.message) } : answer;
}

/** What the environment looks like. A store that does not answer tells nothing of it; then the error alone has to do. */
function look(kernel: Kernel): Promise<string> {
  return worldOf(kernel).catch(() => '');
}

/** What this server has set up it guards from now on; the project stays open for that. */
function isGuardedFromNow(session: Session, { operation, input, project }: Agreed, answer: Answer): boolean {
  const { runId, guardian } = (answer.data ?? {}) as { runId?: unknown; guardian?: unknown };
  const staysUp = operation.name === 'setup' || (operation.name === 'run' && input.keep === true);
  if (!answer.ok || !staysUp || typeof runId !== 'string' || guardian !== undefined) return false;
  const { kernel } = project;
  session.guards.begin(project, (signal) => {
    kernel.events.subscribe((event) => session.hear(event));
    return guardRun(kernel, runId, { signal, yields: true });
  });
  return true;
}
