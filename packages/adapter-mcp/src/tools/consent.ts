import { type Kernel, type Operation, runOperation } from '@argusai/core';
import { effectsOf } from './json-schema.js';
import { consentQuestion, type Question } from './request.js';
import { toolName } from './tool-name.js';

/** What is known about who agrees. */
export interface ConsentRequest {
  readonly kernel: Kernel;
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** The model says that it wants it. */
  readonly confirm: boolean;
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
  /** What the client says the person answered. */
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
}

/** Whether it may go on: with a person's word, with the model's, not at all, or after the person was asked. */
export type Consent = 'person' | 'model' | 'missing' | 'declined' | Question;

/** Finds out whether what cannot be taken back may be done. */
export async function consentTo(request: ConsentRequest): Promise<Consent> {
  const { operation, input, confirm, canAsk, answers } = request;
  if (!effectsOf(operation, input).destructive) return 'model';
  if (!canAsk) return confirm ? 'model' : 'missing';
  const answer = answers?.[consentQuestion] as
    | { action?: unknown; content?: { agree?: unknown } }
    | undefined;
  if (answer) return answer.action === 'accept' && answer.content?.agree === true ? 'person' : 'declined';
  return { question: await describe(request) };
}

/** What the person is asked: where a dry run can tell what would happen, with all of that. */
async function describe({ kernel, operation, input, signal }: ConsentRequest): Promise<string> {
  const given = Object.keys(input).length === 0 ? '' : ` ${JSON.stringify(input)}`;
  const head = `${toolName(operation.name)}${given} in ${kernel.project.dir}: ${operation.summary}`;
  const dry = ['dryRun', 'plan']
    .map((key) => ({ ...input, [key]: true }))
    .find((one) => effectsOf(operation, one).readOnly);
  if (!dry) return `${head}. Agree?`;
  const envelope = await runOperation(kernel, operation, dry, signal);
  const lines = envelope.ok ? thingsIn(envelope.data) : [`It would fail: ${envelope.error.message}`];
  return [
    `${head}:`,
    ...lines.slice(0, 20),
    ...(lines.length > 20 ? [`and ${lines.length - 20} more`] : []),
  ].join('\n');
}

/** The things that a dry run names. */
function thingsIn(data: unknown): string[] {
  const { removed, steps, plan } = data as { removed?: unknown; steps?: unknown; plan?: { steps?: unknown } };
  const things = [removed, steps ?? plan?.steps].flatMap((list) => (Array.isArray(list) ? list : []));
  if (things.length === 0) return ['there is nothing to do'];
  return things.map(({ type, name, action, target, description }) =>
    type === undefined ? `${action} ${target}: ${description}` : `${type} ${name}`,
  );
}
