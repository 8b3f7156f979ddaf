import { expect } from 'vitest';

/** A structured error as it is printed, wherever it stands. */
export interface Trouble {
  readonly code: string;
  readonly category: string;
  readonly severity: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly suggestedActions: readonly string[];
  readonly timestamp: number;
}

/** Every structured error in something that argus has printed, however deep it lies; each must be whole. */
export function errorsIn(value: unknown): Trouble[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(errorsIn);
  return isError(value) ? [whole(value), ...inside] : inside;
}

/** The details of an error can have a code too, so a message alone does not make an error. */
function isError(value: object): value is Trouble {
  return 'code' in value && 'message' in value && ('severity' in value || 'suggestedActions' in value);
}

function whole(error: Trouble): Trouble {
  expect(error).toEqual({
    code: expect.stringMatching(/^[A-Z][A-Z_]+$/),
    category: expect.stringMatching(/^(infrastructure|container|network|system)$/),
    severity: expect.stringMatching(/^(fatal|recoverable|warning)$/),
    message: expect.stringMatching(/\S/),
    details: expect.any(Object),
    suggestedActions: expect.any(Array),
    timestamp: expect.any(Number),
  });
  return error;
}
