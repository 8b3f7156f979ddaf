/** Whether anyone taps a hook. `isUsed` also counts interceptors, and the kernel puts one on every hook. */
export function isTapped(hook: { readonly taps: readonly unknown[] }): boolean {
  return hook.taps.length > 0;
}
