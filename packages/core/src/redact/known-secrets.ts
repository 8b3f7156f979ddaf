import { createPhraseFinder } from './phrase-finder.js';
import { plainText } from './plain-text.js';
import { REDACTED } from './redacted.js';
import { isSecretValue } from './secret-value.js';

/** Shorter secrets have encoded forms so short that they would be found by chance. */
const MIN_ENCODED_BYTES = 8;

/** A line of a longer secret, such as a private key, is itself a secret from this length on. */
const MIN_LINE = 16;

/** Finds and replaces secrets that are known, in every form in which they tend to be printed. */
export interface KnownSecrets {
  occurIn(text: string): boolean;
  mask(text: string): string;
}

/** Prepares the search for known secrets. Values too short or too ordinary to be secrets are left out. */
export function createKnownSecrets(secrets: Iterable<string>): KnownSecrets {
  const finder = createPhraseFinder([...secrets].filter(isSecretValue).flatMap(formsOf));
  return {
    occurIn: finder.occursIn,
    mask(text) {
      let masked = '';
      let done = 0;
      for (const { start, end } of finder.spansIn(text)) {
        masked += text.slice(done, start) + REDACTED;
        done = end;
      }
      return done === 0 ? text : masked + text.slice(done);
    },
  };
}

/** How long the longest of them may be where it is printed, in bytes. */
export function longestForm(secrets: readonly string[]): number {
  const forms = secrets.filter(isSecretValue).flatMap(formsOf);
  return forms.reduce((longest, form) => Math.max(longest, Buffer.byteLength(form)), 0);
}

function formsOf(value: string): string[] {
  // Files and commands leave a line end behind their secret; what is around it is harmless.
  const secret = value.trim();
  const lines = secret.includes('\n') ? secret.split(/\r?\n/).filter(isSecretLine) : [];
  const plain = [plainText(secret)].filter(isSecretValue);
  const written = [secret, ...plain, ...jsonForms(secret), ...lines];
  const encoded = Buffer.byteLength(secret) < MIN_ENCODED_BYTES ? [] : base64Forms(secret);
  return [...written, ...urlForms(secret), ...encoded].filter((form) => !REDACTED.includes(form));
}

function isSecretLine(line: string): boolean {
  return line.length >= MIN_LINE && !line.startsWith('-----') && !line.includes(' ');
}

/** As JSON is written by most, by Python, by PHP, and by Go. */
function jsonForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const ascii = json.replace(/[\x7f-\uffff]/g, escaped);
  return [json, ascii, ascii.replaceAll('/', '\\/'), json.replace(/[<>&]/g, escaped)];
}

function urlForms(secret: string): string[] {
  try {
    const upper = encodeURIComponent(secret);
    const lower = upper.replace(/%../g, (escaped) => escaped.toLowerCase());
    return [upper, lower, upper.replaceAll('%20', '+')];
  } catch {
    // Half of a surrogate pair cannot be written in a URL, so there is no such form to look for.
    return [];
  }
}

/**
 * Base64 of a secret depends on how many bytes stand before it, as in `user:secret`. For each of the three cases
 * this is the part that the neighbours do not change.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return [encoded.toString('base64'), encoded.toString('base64url')].map((form) => form.slice(first, last));
  });
}
