/** A shell that argus can be completed in. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** All shells that argus can be completed in. */
export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];
