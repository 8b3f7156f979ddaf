import {
  cancelled,
  guardRun,
  type JsonObject,
  type OpenProject,
  type Operation,
  printable,
  runOperation,
} from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { nextAfter, nextAfterFailed, nextAfterUnlooked } from '../answer/next-step.js';
import { quotingPlugins } from '../answer/words-of-plugins.js';
import type { Call } from '../session/call.js';
import type { Session } from '../session/session.js';
import { consentTo, type Unagreed } from './consent.js';
import { escalated, keyOf, look, lookAfterFailure } from './going-in-circles.js';
import { hasChanged } from './has-changed.js';
import { effectsOf } from './json-schema.js';
import { leadOn } from './lead-on.js';
import { leftToPerson } from './left-to-person.js';
import { operationInput } from './operation-input.js';
import { ownWork } from './own-work.js';
import { stepOf } from './progress.js';
import { refusal } from './refusal.js';
import { reportIn } from './report-in.js';
import { isQuestion, type Question, type Request } from './request.js';
import { askFor, hashToBring } from './shown-hash.js';
import { nothingToDo, thingsIn } from './things-in.js';
import { untilPatienceEnds } from './until-patience-ends.js';
import { withCrashes } from './with-crashes.js';
import { withinReach } from './within-reach.js';

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
  const { input, confirm, hash } = operationInput(operation, args);
  const consent = await consentTo({
    kernel,
    operation,
    input,
    confirm,
    hash,
    canAsk,
    answers,
    shown,
    plans,
    signal,
  });
  if ('why' in consent || isQuestion(consent)) {
    const answer = await withoutConsent(session, work, input, consent);
    await close();
    return answer;
  }
  if ('told' in consent) {
    const before = await lookAfterFailure(session, work);
    const answer = await toAnswer(session, { ...work, input, byPerson: false }, consent.told, before);
    await close();
    return answer;
  }
  const agreed = { ...work, input: consent.input, byPerson: consent.by === 'person' };
  const changes = !effectsOf(operation, agreed.input).readOnly;
  if (changes) call.dir = kernel.project.dir;
  session.follow(call, changes);
  session.begin(call, (stop) => carryOut(session, call, agreed, stop));
  if (changes) session.code.changes(call, call.done);
  return untilPatienceEnds(call, work, session.surroundings.patienceMs);
}

/** What is answered where nobody has agreed yet: the question, unless the person has said no to the same often enough. */
async function withoutConsent(
  session: Session,
  work: Work,
  input: Agreed['input'],
  consent: Unagreed | Question,
): Promise<Answer | Question> {
  const before = await lookAfterFailure(session, work);
  const isAsked = isQuestion(consent);
  const answer = refusal(work, input, isAsked ? { why: 'not-asked' } : consent);
  if (isAsked && !session.failures.isHopeless(keyOf(work), answer.error, before)) return consent;
  return escalated(session, work, answer, { before, after: await look(work.project.kernel) });
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
    const said = stepOf(event);
    if (said === undefined) return;
    const step = printable(said);
    call.note(step);
    onStep?.(step);
  });
  const before = await lookAfterFailure(session, work);
  const surface = byPerson ? { ask: async () => true } : { unattended: true };
  const done = await runOperation(kernel, operation, input, signal, surface);
  const envelope = withCrashes(session, call, done);
  unsubscribe();
  const answer = ownWork(session, call, envelope) ?? (await toAnswer(session, work, envelope, before));
  // What cannot be closed in order goes with the process; the answer is true all the same.
  if (!isGuardedFromNow(session, work, answer)) await project.close().catch(() => undefined);
  const { readOnly } = session.surroundings;
  const told = withinReach(answer, kernel, readOnly);
  // Whoever asks for it later goes on from there too.
  return leadOn(told, work);
}

async function toAnswer(
  session: Session,
  work: Agreed,
  envelope: Awaited<ReturnType<typeof runOperation>>,
  before: string,
): Promise<Answer> {
  const { args, operation, input, project } = work;
  const { kernel } = project;
  const words = quotingPlugins(kernel);
  const notices = envelope.notices ? { notices: words(envelope.notices) } : {};
  if (envelope.ok) {
    const { data } = envelope;
    session.failures.succeeded(keyOf(work), hasChanged(operation, input, data));
    session.lastReport = reportIn(operation.name, data) ?? session.lastReport;
    const ended = { operation: operation.name, input: input as JsonObject };
    const next =
      nextAfter(kernel, operation.name, data) ?? nextAfterUnlooked(kernel, ended, data, envelope.notices);
    const folder = args.projectPath === undefined ? undefined : kernel.project.dir;
    const hash = hashToBring(kernel, operation, input, data);
    const isTold = hash !== undefined && !work.canAsk && thingsIn(data)[0] !== nothingToDo;
    const human =
      leftToPerson(operation.name, input, words(data), folder) ??
      (isTold ? askFor(work.tool, hash) : undefined);
    return {
      ok: true,
      data: words(data),
      ...notices,
      ...(next ? { next } : {}),
      ...(hash === undefined ? {} : { hash }),
      ...(human === undefined ? {} : { human }),
    };
  }
  const error = words(envelope.error);
  const next = nextAfterFailed(kernel, operation, input, envelope.error);
  const answer = { ok: false, error, ...notices, ...(next ? { next } : {}) };
  if (error.code === cancelled.code) return answer;
  return escalated(session, work, answer, { before, after: await look(kernel) });
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
