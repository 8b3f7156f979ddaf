import { namesCredential, namesPassword, namesPasswordShortly } from './credential-name.js';
import { REDACTED } from './redacted.js';
import { isNoSecret, isPasswordAfterShortName, looksGenerated } from './secret-value.js';

/** A name and what divides it from its value: `key=`, `key: `, `"key": `, `\"key\":`, `'key' => `, `[key] => `. Not a parser's complaint. */
const LABEL =
  /(?<![\w.-]|nexpected )(-{0,2}[A-Za-z_][\w.-]{0,127})\\{0,15}["'`]?\]?[ \t]{0,8}(=>|:=|[:=])(?!=|\/\/)[ \t]{0,8}/g;

/** What a value may be wrapped in: `Some("…")`. */
const WRAP = /(?:[A-Za-z]\w{0,31}\([ \t]{0,4}){0,2}(?=\\{0,15}["'`])/y;

/** A list of values in quotes: to its end, or to that of the line. */
const LIST = /\[[ \t]{0,8}\\{0,15}["'`](?:[^\r\n]*?["'`][ \t]{0,8}\]|[^\r\n]*)/y;

/** A command-line flag with its value after a space: `--password `. */
const FLAG = /(?<![\w-])(--?[A-Za-z][\w-]{0,127})[ \t]{1,8}(?=[^\s-])/g;

/** An element with text inside: `<password>`. */
const ELEMENT = /<([A-Za-z_][\w:.-]{0,127})>(?=[^<\s])/g;

/** A value in quotes, also in quotes that are escaped themselves, also where the closing quote was cut off. */
const QUOTED = /(\\{1,15}")((?:(?!(?<!\\)(?:\1|"))[^\r\n])*)|(["'`])((?:(?!\3)[^\\\r\n]|\\.)*)/y;

/** A value without quotes. Marks that may end it belong to it unless a space, the end or another name follows. */
const BARE = /(?:\[redacted\]|\$\{\w{0,128}\}|[^\s"'`&;,)}\]]|[&;,)}\]](?![\s"'`]|$|[\w.-]{1,64}=))+/y;

/** A word, and what follows one that ends its line or part: a value in YAML or in a header, no start of a sentence. */
const WORD = /(?:\[redacted\]|[^\s"'`,;)}\]])+/y;
const WORD_END = /[ \t]*(?:$|[\r\n"'`,;)}\]])/y;

const ELEMENT_TEXT = /[^<\r\n]+/y;

/** The first word of an `Authorization` header is no secret; what follows it has a shape of its own. */
const SCHEME = /^(?:bearer|basic|digest|negotiate|token|apikey|ntlm|aws4-hmac-sha256)$/i;

/** Words that follow a flag in a sentence about it: `--token is required`. */
const PROSE =
  /^(?:is|was|are|must|may|can|cannot|or|and|to|for|with|without|instead|if|not|needs|requires|option|options|flag|argument|value|has|in|on|from)$/;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces the values of `password=…`, `"apiKey": "…"`, `--token …` and the like, when the name is a credential's. */
export function maskLabelledSecrets(text: string, isSecret = looksGenerated): string {
  const word = createWordReader(text, isSecret);
  const labelled = maskAfter(text, LABEL, (at, divider, name) => {
    const inQuotes = match(text, LIST, at) ?? quoted(text, match(text, WRAP, at)?.end ?? at);
    const isShort = namesPasswordShortly(name);
    if (isShort && !inQuotes && divider === ':') return undefined;
    // After a colon and a space there is more prose than secrets (`token: expired`), so the word has to look like one.
    const isProse = divider === ':' && !(text.charAt(at - 1) === ':' && namesPassword(name));
    const value = inQuotes ?? (isProse ? word(at, namesPassword(name)) : unlessScheme(match(text, BARE, at)));
    return isShort && value && !isPasswordAfterShortName(value.text) ? undefined : value;
  });
  const flagged = maskAfter(labelled, FLAG, (at) => quoted(labelled, at) ?? flagValue(labelled, at));
  return maskAfter(flagged, ELEMENT, (at) => match(flagged, ELEMENT_TEXT, at));
}

/** Only the value of a credential is skipped: any other may have a label inside, as in `cmd="mysql --password=…"`. */
function maskAfter(
  text: string,
  label: RegExp,
  valueAt: (at: number, divider: string, name: string) => Value | undefined,
): string {
  let masked = '';
  let done = 0;
  label.lastIndex = 0;
  for (let found = label.exec(text); found; found = label.exec(text)) {
    const [, name = '', divider = ''] = found;
    if (!namesCredential(name) && !(divider !== '' && namesPasswordShortly(name))) continue;
    const value = valueAt(label.lastIndex, divider, name);
    if (!value || isNoSecret(value.text)) continue;
    masked += text.slice(done, value.start) + withScheme(value.text);
    done = value.end;
    label.lastIndex = value.end;
  }
  return done === 0 ? text : masked + text.slice(done);
}

function quoted(text: string, at: number): Value | undefined {
  QUOTED.lastIndex = at;
  const found = QUOTED.exec(text);
  if (!found) return undefined;
  const quote = found[1] ?? found[3] ?? '';
  const start = at + quote.length;
  return { start, end: QUOTED.lastIndex, text: text.slice(start, QUOTED.lastIndex) };
}

/** Remembers where the word ends: `token:token:token:…` is one word with many labels, read once. */
function createWordReader(
  text: string,
  isSecret: (word: string) => boolean,
): (at: number, isPassword: boolean) => Value | undefined {
  let end = 0;
  return (at, isPassword) => {
    if (at >= end) end = match(text, WORD, at)?.end ?? at;
    const value = { start: at, end, text: text.slice(at, end) };
    // The user part of a URL is done already; what follows is the host.
    if (!isSecret(value.text) || value.text.startsWith(`${REDACTED}@`)) return undefined;
    // A sentence may go on after a password, and seldom begins with what looks like one.
    return isPassword || match(text, WORD_END, end) ? value : undefined;
  };
}

function flagValue(text: string, at: number): Value | undefined {
  const value = match(text, BARE, at);
  return value && !PROSE.test(value.text) ? value : undefined;
}

function match(text: string, pattern: RegExp, at: number): Value | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? { start: at, end: pattern.lastIndex, text: found[0] } : undefined;
}

function unlessScheme(value: Value | undefined): Value | undefined {
  return value && SCHEME.test(value.text) ? undefined : value;
}

/** Keeps the word that says how the secret is used: `Bearer [redacted]`. */
function withScheme(value: string): string {
  const [first = ''] = value.split(' ', 1);
  return first.length < value.length && SCHEME.test(first) ? `${first} ${REDACTED}` : REDACTED;
}
