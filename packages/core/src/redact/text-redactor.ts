import { createKnownSecrets } from './known-secrets.js';
import { maskLabelledSecrets } from './labelled-secrets.js';
import { createPhraseFinder } from './phrase-finder.js';
import { plainText } from './plain-text.js';
import { REDACTED } from './redacted.js';
import { SECRET_SHAPES } from './secret-shapes.js';

/** What ends a quotation in a sentence. */
const QUOTE_END = '»';

/** Removing one secret can bring out another, seldom more than once. */
const MAX_PASSES = 6;

const hints = SECRET_SHAPES.flatMap((shape) => shape.hints);
const marks = hints.filter(({ length }) => length === 1);
const phrases = createPhraseFinder(hints, { ignoreCase: true });

/**
 * Makes a function that removes secrets from a text. A text without any hint of one costs next to nothing. A secret that is called as
 * something else, or as a part of that, is one only where a label or a URL says so: elsewhere it would hide what people look for.
 */
export function createTextRedactor(
  secrets: Iterable<string>,
  names: readonly string[] = [],
): (text: string) => string {
  const shapesOnly = names.length === 0 ? undefined : createTextRedactor([]);
  const safeNames = shapesOnly ? names.map(shapesOnly) : [];
  const isName = (secret: string) => safeNames.some((name) => name.includes(secret.trim()));
  const all = [...secrets];
  const weak = new Set(all.filter(isName).map((secret) => secret.trim()));
  const known = createKnownSecrets(all.filter((secret) => !weak.has(secret.trim())));
  function mask(text: string): string {
    const lower = text.toLowerCase();
    const hinted = SECRET_SHAPES.filter((shape) => shape.hints.some((hint) => lower.includes(hint)));
    const masked = hinted.reduce((before, shape) => shape.mask(before), known.mask(text));
    return weak.size === 0 ? masked : maskLabelledSecrets(masked, (word) => weak.has(word));
  }

  function redactPlain(text: string): string {
    const hinted = phrases.occursIn(text) || marks.some((mark) => text.includes(mark));
    return hinted || known.occurIn(text) ? untilNothingChanges(mask, text) : text;
  }

  function redactPart(text: string): string {
    const plain = plainText(text);
    const safe = redactPlain(plain);
    // A text without secrets keeps its colours.
    return safe === plain ? text : safe;
  }

  return (text) => {
    // A known secret may itself have what is not seen in it.
    const raw = known.occurIn(text) ? known.mask(text) : text;
    // What others said must stay ended where it was: this mark tells it from what argus says.
    return raw.includes(QUOTE_END) ? raw.split(QUOTE_END).map(redactPart).join(QUOTE_END) : redactPart(raw);
  };
}

/** So that redacting twice is the same as redacting once. */
function untilNothingChanges(mask: (text: string) => string, text: string): string {
  let before = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const after = mask(before);
    if (after === before) return after;
    before = after;
  }
  // Each replacement brings out another secret: no part of such a text can be trusted.
  return REDACTED;
}
