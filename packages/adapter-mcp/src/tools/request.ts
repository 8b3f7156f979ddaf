/** Under which name the person's consent is asked for. */
export const consentQuestion = 'consent';

/** What a person has to be asked before the call can go on. */
export interface Question {
  readonly question: string;
  /** What the client has to bring back with the answer: it tells which plan the person was shown. */
  readonly shown?: string;
}

/** Whether it is a question and no answer. */
export function isQuestion(one: object): one is Question {
  return 'question' in one && typeof one.question === 'string';
}

/** There is no such tool; for a client that is a mistake in the request and no result. */
export class UnknownTool extends Error {}

/** A tool call, as far as the protocol does not matter. */
export interface Request {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Aborts when the client takes the call back or goes away. */
  readonly signal: AbortSignal;
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
  /** What the client says the person answered. */
  readonly answers?: Readonly<Record<string, unknown>> | undefined;
  /** What the question had that was answered. */
  readonly shown?: unknown;
  /** Is told what is begun, as long as the client waits. */
  readonly onStep?: ((step: string) => void) | undefined;
}
