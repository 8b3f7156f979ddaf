import { type Envelope, type Kernel, type Operation, printable, runOperation } from '@argusai/core';
import { isAllRefused } from '../answer/refused-steps.js';
import type { ShownPlans } from '../session/shown-plans.js';
import { effectsOf } from './json-schema.js';
import { consentQuestion, type Question } from './request.js';
import { hashOfShown, planned } from './shown-hash.js';
import { nothingToDo, thingsIn } from './things-in.js';
import { toolName } from './tool-name.js';

type Input = Readonly<Record<string, unknown>>;

/** What is known about who agrees. */
export interface ConsentRequest {
  readonly kernel: Kernel;
  readonly operation: Operation;
  readonly input: Input;
  /** The model says that it wants it, and the hash of what it says a person was shown. */
  readonly confirm: boolean;
  readonly hash: string | undefined;
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
  /** What the client says the person answered. */
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  /** What the question had that was answered. */
  readonly shown: unknown;
  readonly plans: ShownPlans;
  readonly signal: AbortSignal;
}

/** Whose word it is done on, and what exactly is done on it. */
export interface Agreement {
  readonly by: 'person' | 'model';
  readonly input: Input;
}

/** Nobody has to agree: nothing of it can be done, as already a dry run tells. */
export interface Hopeless {
  readonly told: Envelope<unknown>;
}

/** Nobody has agreed: not yet, to what was there before, or not at all. `hash` names what there is to agree to. */
export interface Unagreed {
  readonly why: 'missing' | 'stale' | 'declined';
  readonly hash?: string | undefined;
}

/** Whether it may go on: on somebody's word, not at all, or after the person was asked. */
export type Consent = Agreement | Unagreed | Hopeless | Question;

/** Finds out whether what cannot be taken back may be done. */
export async function consentTo(request: ConsentRequest): Promise<Consent> {
  const { operation, input, canAsk, answers } = request;
  const byModel = { by: 'model', input } as const;
  if (!effectsOf(operation, input).destructive) return byModel;
  // What the operation does not take it refuses itself, and says why; no person is asked about that.
  if (!operation.input.safeParse(input).success) return byModel;
  if (!canAsk) return wordOfModel(request);
  const answer = answers?.[consentQuestion] as
    | { action?: unknown; content?: { agree?: unknown } }
    | undefined;
  if (!answer) return ask(request);
  if (answer.action !== 'accept' || answer.content?.agree !== true) return { why: 'declined' };
  const exact = exactly(request);
  return exact ? { by: 'person', input: exact } : ask(request);
}

/** A model's word counts for what has been shown: it has to bring the hash of that, and that has to be what is there still. */
async function wordOfModel({
  kernel,
  operation,
  input,
  confirm,
  hash,
  signal,
}: ConsentRequest): Promise<Agreement | Unagreed | Hopeless> {
  // It carries out a plan and finds out itself whether it is still that one.
  if (operation.name === 'apply-recovery') return confirm ? { by: 'model', input } : { why: 'missing' };
  const given = hash ?? (operation.name === 'fix' ? input.apply : undefined);
  const dry = lookFirst(operation, input);
  if (dry && (!confirm || given === undefined)) return { why: 'missing' };
  if (operation.name === 'fix') return { by: 'model', input: { ...input, apply: given } };
  const looked = dry && (await runOperation(kernel, operation, dry, signal));
  if (looked && !looked.ok) return { told: looked };
  const now = hashOfShown(kernel, operation, input, looked?.data);
  if (!confirm || given === undefined) return { why: 'missing', hash: now };
  return given === now ? { by: 'model', input } : { why: 'stale', hash: now };
}

/** The input for no more than the person was shown. Nothing where it is not known what that was. */
function exactly({ operation, input, plans, shown }: ConsentRequest): Input | undefined {
  // The hash that was shown is in the input already.
  if (operation.name !== 'fix') return asAgreed(operation, input);
  const hash = plans.get(shown);
  if (hash === undefined) return undefined;
  // Whoever was shown that there is nothing to do has agreed to nothing; whoever was shown a plan, to each step of it.
  return hash === null ? { ...input, plan: true } : { ...input, apply: hash, yes: true };
}

/** The input after a person's yes: that lifts the limits on acting alone. */
function asAgreed({ name }: Operation, input: Input): Input {
  return name === 'apply-recovery' ? { ...input, confirm: true } : input;
}

/** What the person is asked: where a dry run can tell what would happen, with all of that. */
async function ask({
  kernel,
  operation,
  input,
  plans,
  signal,
}: ConsentRequest): Promise<Question | Hopeless | Agreement> {
  const given = Object.keys(input).length === 0 ? '' : ` ${kernel.redactor.text(JSON.stringify(input))}`;
  const head = `${toolName(operation.name)}${given} in ${kernel.project.dir}: ${operation.summary}`;
  const dry = lookFirst(operation, input);
  if (!dry) return { question: printable(`${head}. Agree?`) };
  const envelope = await runOperation(kernel, operation, asAgreed(operation, dry), signal);
  if (!envelope.ok || isAllRefused(operation.name, envelope.data)) return { told: envelope };
  const notices = envelope.notices?.map(({ message }) => message) ?? [];
  const things = thingsIn(envelope.data);
  // Nobody has to agree to nothing. What turns up meanwhile is not done either.
  if (operation.name === 'fix' && things[0] === nothingToDo) {
    return { by: 'model', input: { ...input, plan: true } };
  }
  const lines = [...notices, ...things];
  const isPlanned = planned.includes(operation.name);
  const question = [
    isPlanned ? `${head}. Exactly this:` : `${head}. It is done to what there is at that moment; now:`,
    ...lines.slice(0, 20),
    ...(lines.length > 20 ? [`and ${lines.length - 20} more`] : []),
  ]
    .map(printable)
    .join('\n');
  if (operation.name !== 'fix') return { question };
  const { plan } = envelope.data as { plan?: { hash: string | null } };
  return { question, shown: plans.add(plan?.hash ?? null) };
}

/** The same input only to see what would be done; nothing where that cannot be had. */
export function lookFirst(operation: Operation, input: Input): Input | undefined {
  return ['dryRun', 'plan']
    .map((key) => ({ ...input, [key]: true }))
    .find((one) => effectsOf(operation, one).readOnly);
}
