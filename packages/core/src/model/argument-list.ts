type Value = string | number | boolean | undefined;

/** The options of a program by their long names: `true` for one without a value, a list for one that may come often. */
export type ProgramOptions = Readonly<Record<string, Value | readonly (string | number)[]>>;

/** Only a text that stands in the source as it is. */
type Literal<Word> = Word extends string ? (string extends Word ? never : Word) : never;

/**
 * The arguments of a program that is started, the only way to make them. Words of a command are literals, each option is one
 * word with its value (`--name=value`), and everything else stands behind `--`: whatever a value is, it cannot be taken for
 * an option. A program that knows no `--` is given no operands.
 */
export function argumentList<const Words extends readonly string[]>(
  words: Words & { readonly [Index in keyof Words]: Literal<Words[Index]> },
  options: ProgramOptions = {},
  operands: readonly (string | number)[] = [],
): string[] {
  const given = Object.entries(options).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => optionWord(name, one)),
  );
  const rest = operands.length === 0 ? [] : ['--', ...operands.map(String)];
  return [...words, ...given, ...rest].map(withoutNul);
}

function optionWord(name: string, value: Value): string[] {
  if (value === undefined || value === false) return [];
  return [value === true ? `--${name}` : `--${name}=${value}`];
}

/** The system would end the word there; Node refuses it too, with the whole word in its message. */
function withoutNul(word: string): string {
  if (word.includes('\0')) throw new Error('An argument has a NUL in it, which no program can be given');
  return word;
}
