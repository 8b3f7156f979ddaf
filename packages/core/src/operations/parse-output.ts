import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { outputInvalid } from '../model/core-error-codes.js';
import type { Operation } from '../model/operation.js';
import { changesValues } from './changes-values.js';

/** As many problems of an answer are told; a long list is wrong in the same way at every place. */
const mostProblems = 5;

/**
 * Holds a plugin's operation to the schema of what it gives, which programs and agents go by. What it gives is handed on as it is,
 * also what the schema does not name, unless the schema is made to change it. Core's own operations are held to theirs by the
 * compiler: the schemas of their large answers are not even made when nobody asks for them.
 */
export async function parseOutput(kernel: Kernel, operation: Operation, data: unknown): Promise<unknown> {
  const plugin = kernel.operations.ownerOf(operation.name) ?? 'core';
  if (plugin === 'core') return data;
  const { output, name } = operation;
  const result = await output.safeParseAsync(data);
  if (result.success) return changesValues(output) ? result.data : data;
  const problems = result.error.issues
    .slice(0, mostProblems)
    .map(
      ({ path, message }) => `${path.length === 0 ? 'the answer' : path.map(String).join('.')}: ${message}`,
    );
  throw new ArgusError(outputInvalid, {
    message: `${name} of the plugin ${plugin} gave what its schema does not allow: ${problems.join('; ')}`,
    details: { operation: name, plugin, problems },
  });
}
