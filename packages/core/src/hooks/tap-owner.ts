const owners = new WeakMap<object, string>();

/** Notes which plugin has tapped. The name given to `tap` is only a label, so it is not relied on. */
export function noteOwner(tap: object, plugin: string): void {
  owners.set(tap, plugin);
}

/** The plugin that has tapped. */
export function ownerOfTap(tap: object): string {
  return owners.get(tap) ?? 'core';
}
