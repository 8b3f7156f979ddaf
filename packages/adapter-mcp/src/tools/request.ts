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
  /** Is told what is begun, as long as the client waits. */
  readonly onStep?: ((step: string) => void) | undefined;
}
