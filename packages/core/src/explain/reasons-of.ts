import * as z from 'zod';
import type { ErrorCode } from '../model/error-code.js';

/** The reasons that the details of a code can have; nothing where its schema leaves them open. */
export function reasonsOf({ details }: Pick<ErrorCode, 'details'>): readonly string[] | undefined {
  if (!details) return undefined;
  try {
    const { reason } = z.toJSONSchema(details(), { unrepresentable: 'any' }).properties ?? {};
    return typeof reason === 'object' ? reason.enum?.map(String) : undefined;
  } catch {
    // A schema that JSON Schema has no words for, or of a zod too old to tell: its reasons are not known.
    return undefined;
  }
}
