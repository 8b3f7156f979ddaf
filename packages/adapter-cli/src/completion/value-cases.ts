import type { Completed, CompletedOption, Values } from './completed.js';
import { quotedWord } from './quoted-word.js';

/** What can stand after an option or as an argument, as bash and zsh ask for it in a `case`. */
export interface ValueCases {
  /** The patterns of two words that are one command, with how many words came in between: none. */
  readonly pairs: string;
  /** The patterns of options that take a value, each a command and an option. */
  readonly valued: string;
  /** What follows each of them. */
  readonly afterOptions: readonly string[];
  /** What stands without a name; the number is how many are there already. */
  readonly asArguments: readonly string[];
}

/** The cases of a script. `offer` writes what offers some values. */
export function valueCases(
  { commands, options, pairs }: Completed,
  offer: (values: Values, many: boolean) => string,
): ValueCases {
  const formats = commands.flatMap(({ names, formats: words }) =>
    words ? [{ names, values: { kind: 'words', words } as const }] : [],
  );
  const all = [
    ...options.map((option) => ({ option, pattern: `*' '${quotedWord(option.flag)}` })),
    ...commands.flatMap(({ names, options: own }) =>
      own.map((option) => ({
        option,
        pattern: names.map((name) => quotedWord(`${name} ${option.flag}`)).join(' | '),
      })),
    ),
  ].flatMap(({ option, pattern }) => (option.values ? [{ pattern, ...(option as Valued) }] : []));
  return {
    pairs: pairs.map((pair) => quotedWord(`${pair} 0`)).join(' | '),
    valued: all.map(({ pattern }) => pattern).join(' | '),
    // Those of a command come before those of every command.
    afterOptions: [
      ...formats.map(
        ({ names, values }) =>
          `${names.map((name) => quotedWord(`${name} --format`)).join(' | ')}) ${offer(values, false)} ;;`,
      ),
      ...all.map(({ pattern, values, many }) => `${pattern}) ${offer(values, many)} ;;`),
    ],
    asArguments: commands.flatMap(({ names, argument }) =>
      argument
        ? [
            `${names.map((name) => `${quotedWord(name)}' '${argument.many ? '*' : '0'}`).join(' | ')}) ${offer(argument.values, false)} ;;`,
          ]
        : [],
    ),
  };
}

type Valued = CompletedOption & { readonly values: Values };
