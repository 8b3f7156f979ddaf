/** An option as it stands in the arguments. */
export interface OptionToken {
  readonly kind: 'option';
  readonly name: string;
  /** As it was written, with its dashes. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value was written behind a `=`. */
  readonly inlineValue?: boolean | undefined;
}

/** A word without dashes. */
export interface PositionalToken {
  readonly kind: 'positional';
  readonly value: string;
}

/**
 * Splits arguments as `parseArgs` of `node:util` does when it is not strict, which a test proves; to load that takes a
 * start longer than all of this. No option has a short name, so what has one dash only has to be told apart.
 *
 * @param takesValue Whether the option of this name takes the argument after it as its value.
 */
export function* tokensOf(
  args: readonly string[],
  takesValue: (name: string) => boolean,
): Generator<OptionToken | PositionalToken> {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      for (const value of args.slice(index + 1)) yield { kind: 'positional', value };
      return;
    }
    if (!arg.startsWith('-') || arg === '-') {
      yield { kind: 'positional', value: arg };
      continue;
    }
    const { name, rawName, value } = partsOf(arg);
    if (value !== undefined) {
      yield { kind: 'option', name, rawName, value, inlineValue: true };
    } else if (takesValue(name) && index + 1 < args.length) {
      index += 1;
      yield { kind: 'option', name, rawName, value: args[index], inlineValue: false };
    } else {
      yield { kind: 'option', name, rawName };
    }
  }
}

function partsOf(arg: string): { name: string; rawName: string; value?: string } {
  // Of several letters behind one dash the first is an option already, and there is none with one letter.
  if (!arg.startsWith('--')) return { name: arg.charAt(1), rawName: arg.slice(0, 2) };
  // As Node does: a `=` right behind the dashes parts a name from a value only where another one follows.
  if (arg.indexOf('=', 3) < 0) return { name: arg.slice(2), rawName: arg };
  const at = arg.indexOf('=');
  return { name: arg.slice(2, at), rawName: arg.slice(0, at), value: arg.slice(at + 1) };
}
