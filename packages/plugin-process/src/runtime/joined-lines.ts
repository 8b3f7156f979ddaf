import type { LogLine } from '@argusai/core';
import { parseLine } from '../programs/output-files.mjs';

type Piece = NonNullable<ReturnType<typeof parseLine>>;
type Stream = LogLine['stream'];

/** How long a line may become, in characters. */
const longest = 1_048_576;

/** So much of the last word of a line that is cut may be half of a secret. */
const longestHalf = 4_096;

/** A prompt waits for somebody, and does not go on by itself. */
const asks = /[:?>\])]\s*$|\s$/;

interface Begun extends Piece {
  /** How many characters were too many. */
  readonly omitted: number;
}

/** Puts lines together again that were kept in pieces: in a piece half a secret would not be known as one. */
export class JoinedLines {
  readonly #begun = new Map<Stream, Begun>();
  readonly #within: Set<Stream>;

  /** `within`: the streams of which a line has begun before the first piece. What is left of that is no whole line and is not told. */
  constructor(within: Iterable<Stream> = []) {
    this.#within = new Set(within);
  }

  /** Takes in a kept piece, and gives the line that it completes. */
  add(kept: string): Omit<LogLine, 'service'> | undefined {
    const piece = parseLine(kept);
    if (!piece) return undefined;
    const { stream, goesOn } = piece;
    if (this.#within.has(stream)) {
      if (!goesOn) this.#within.delete(stream);
      return undefined;
    }
    const line = joined(this.#begun.get(stream), piece);
    if (goesOn) this.#begun.set(stream, line);
    else this.#begun.delete(stream);
    return goesOn ? undefined : told(line);
  }

  /** The streams of which a line has begun and not ended. */
  get begun(): Stream[] {
    return [...this.#within, ...this.#begun.keys()];
  }

  /** The lines that have begun and not ended, without the word that may go on; they are forgotten by that. */
  unended(): Omit<LogLine, 'service'>[] {
    const lines = [...this.#begun.values()].map((line) =>
      told({ ...line, text: withoutHalfWord(line.text) }),
    );
    this.#begun.clear();
    return lines;
  }
}

function joined(begun: Begun | undefined, { at, stream, text }: Piece): Begun {
  const whole = (begun?.text ?? '') + text;
  const kept = whole.slice(0, longest);
  return { at, stream, text: kept, omitted: (begun?.omitted ?? 0) + whole.length - kept.length };
}

function withoutHalfWord(text: string): string {
  return asks.test(text) ? text : `${withoutLastWord(text)}…`;
}

/** Only the end is searched: a line may be a megabyte without a space. */
function withoutLastWord(text: string): string {
  return text.slice(0, -longestHalf) + text.slice(-longestHalf).replace(/\S+$/, '');
}

function told({ at, stream, text, omitted }: Begun): Omit<LogLine, 'service'> {
  if (omitted === 0) return { at, stream, text };
  const safe = withoutLastWord(text);
  const left = text.length - safe.length + omitted;
  return { at, stream, text: `${safe}… (${left} more characters)` };
}
