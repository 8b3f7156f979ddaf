/** What decides about colours. */
export interface ColorWishes {
  /** Whether `--no-color` was not given. */
  readonly color: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether an output gets colours. Who wants none is obeyed first: `--no-color`, then `NO_COLOR`. `FORCE_COLOR` wants them
 * everywhere, or with `0` or `false` nowhere; without all these a terminal gets them that can show them.
 */
export function wantsColor({ color, env }: ColorWishes, isTTY: boolean): boolean {
  if (!color || env.NO_COLOR) return false;
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY && env.TERM !== 'dumb';
}
