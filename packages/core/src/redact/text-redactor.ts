import { createKnownSecrets } from './known-secrets.js';
import { createPhraseFinder } from './phrase-finder.js';
import { plainText } from './plain-text.js';
import { REDACTED } from './redacted.js';
import { SECRET_SHAPES } from './secret-shapes.js';

/** Removing one secret can bring out another, seldom more than once. */
const MAX_PASSES = 6;

const hints = SECRET_SHAPES.flatMap((shape) => shape.hints);
const marks = hints.filter(({ length }) => length === 1);
const phrases = createPhraseFinder(hints, { ignoreCase: true });

/** Makes a function that removes secrets from a text. A text without any hint of one costs next to nothing. */
export function createTextRedactor(secrets: Iterable<string>): (text: string) => string {
  const known = createKnownSecrets(secrets);
  function mask(text: string): string {
    const lower = text.toLowerCase();
    const hinted = SECRET_SHAPES.filter((shape) => shape.hints.some((hint) => lower.includes(hint)));
    return hinted.reduce((masked, shape) => shape.mask(masked), known.mask(text));
  }

  function redactPlain(text: string): string {
    const hinted = phrases.occursIn(text) || marks.some((mark) => text.includes(mark));
    return hinted || known.occurIn(text) ? untilNothingChanges(mask, text) : text;
  }

  return (text) => {
    // A known secret may itself have what is not seen in it.
    const raw = known.occurIn(text) ? known.mask(text) : text;
    const plain = plainText(raw);
    const safe = redactPlain(plain);
    // A text without secrets keeps its colours.
    return safe === plain ? raw : safe;
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
