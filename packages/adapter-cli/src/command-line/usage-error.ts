import { ArgusError, type JsonObject, nearest, usageInvalid } from '@argusai/core';

/** The error of a command line that cannot be understood. */
export function usageError(message: string, details: JsonObject = {}): ArgusError {
  return new ArgusError(usageInvalid, { message, details });
}

/** A word that is not known, among those that are. */
export interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
  /** How a known word is written for people. */
  readonly shown?: (name: string) => string;
  /** What is told where none is near; without it all that are known. */
  readonly listed?: readonly string[];
  readonly reason?: string;
  /** The command that it was given to. */
  readonly command?: string;
}

/** The error of a word that is not known, with the one that was most likely meant. */
export function unknownWord(
  sentence: string,
  { word, known, shown = String, listed = known, command, reason }: UnknownWord,
): ArgusError {
  const meant = nearest(word, known);
  const all = listed.length === 0 ? 'there are none' : `there are ${listed.map(shown).join(', ')}`;
  const hint = meant === undefined ? all : `did you mean ${shown(meant)}?`;
  return usageError(`${sentence}; ${hint}`, {
    word,
    known: known.map(shown),
    ...(meant === undefined ? {} : { suggestion: shown(meant) }),
    ...(command === undefined ? {} : { command }),
    ...(reason === undefined ? {} : { reason }),
  });
}
