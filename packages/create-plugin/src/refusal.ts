/** Nothing was written: what is in the way, and what to do about it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** What to do next, in one sentence. */
    readonly remedy: string,
    /** How the program ends: 2 when the call was wrong, 1 when the world is. */
    readonly exitCode: 1 | 2 = 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
