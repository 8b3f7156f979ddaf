import type { Kernel } from '../kernel/kernel.js';
import type { Recoverer } from '../model/recoverer.js';
import { permissionFor } from './permission.js';

/** What a recoverer does, what that can cost, and whether argus may use it by itself. */
export function describeRecoverer(kernel: Kernel, recoverer: Recoverer) {
  const { name, description, risk } = recoverer;
  return {
    name,
    plugin: kernel.recoverers.ownerOf(name) ?? 'core',
    ...(description === undefined ? {} : { description }),
    risk,
    ...permissionFor(kernel, recoverer),
  };
}

/** Explains a recoverer: also the codes that it handles. */
export function explainRecoverer(kernel: Kernel, recoverer: Recoverer) {
  return {
    kind: 'recoverer' as const,
    ...describeRecoverer(kernel, recoverer),
    autonomy: kernel.config.policy.autonomy,
    codes: recoverer.handles.map(({ code, summary }) => ({ code, summary })),
  };
}
