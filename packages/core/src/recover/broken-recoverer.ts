import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { isArgusError } from '../model/argus-error.js';
import { recovererBroken } from '../model/core-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import type { Recoverer } from '../model/recoverer.js';
import { toStructuredError } from '../model/to-structured-error.js';

/** How a recoverer broke. */
export type Breakage = 'threw' | 'timeout' | 'bad-plan' | 'bad-result';

/** Says how a recoverer broke. */
export function brokenRecoverer(
  kernel: Kernel,
  { name }: Recoverer,
  reason: Breakage,
  message: string,
): StructuredError {
  const details = { recoverer: name, plugin: pluginOf(kernel, name), reason };
  return presentError(kernel, structuredError(recovererBroken, { message, details }, kernel.clock.now()));
}

/** Says what a recoverer threw while it made its plan. What has a code of its own keeps it, because programs act on that. */
export function thrownWhilePlanning(kernel: Kernel, recoverer: Recoverer, thrown: unknown): StructuredError {
  const error = toStructuredError(thrown, kernel.clock.now());
  const message = `${recoverer.name} planned nothing: ${error.message} (plugin ${pluginOf(kernel, recoverer.name)})`;
  if (!isArgusError(thrown)) return brokenRecoverer(kernel, recoverer, 'threw', message);
  return presentError(kernel, { ...error, message });
}

/** The plugin that a recoverer belongs to. */
export function pluginOf({ recoverers }: Kernel, name: string): string {
  return recoverers.ownerOf(name) ?? 'core';
}
