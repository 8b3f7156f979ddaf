import { namesCredential } from './credential-name.js';
import { isSecretValue } from './secret-value.js';
import { secretsInUrls } from './url-userinfo.js';

/** Deeper than any configuration. */
const MAX_DEPTH = 50;

/**
 * Finds the secrets in variables of an environment, in options and in whole configurations: values whose name is
 * that of a credential, and passwords in connection strings whatever their name.
 */
export function collectSecrets(source: unknown): string[] {
  const found = new Set<string>();
  const seen = new Set<object>();

  function visit(name: string, value: unknown, depth: number): void {
    if (typeof value === 'string') visitText(name, value, depth);
    else if (typeof value === 'number' || typeof value === 'bigint') visitText(name, String(value), depth);
    else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH && !seen.has(value)) {
      seen.add(value);
      if (Array.isArray(value)) for (const item of value) visitItem(name, item, depth + 1);
      else visitObject(value, depth + 1);
    }
  }

  function visitText(name: string, value: string, depth: number): void {
    const isUrl = /^[a-z][a-z0-9+.-]*:\/\/\S*$/i.test(value);
    const candidates = secretsInUrls(value);
    // Of an address under such a name, only the password is secret: the host must stay readable.
    if (!isUrl && namesCredential(name)) candidates.push(value.trim());
    for (const secret of candidates) if (isSecretValue(secret)) found.add(secret);
    if (/^\s*[{[]/.test(value)) visitDocument(name, value, depth);
  }

  /** Keys of service accounts and the like are kept as JSON in one variable. */
  function visitDocument(name: string, value: string, depth: number): void {
    try {
      visit(name, JSON.parse(value), depth + 1);
    } catch {
      // Not JSON after all: the text as a whole has been looked at.
    }
  }

  /** An environment may be a list of `NAME=value`. */
  function visitItem(name: string, item: unknown, depth: number): void {
    const variable = typeof item === 'string' ? /^([A-Za-z_]\w*)=(.*)$/s.exec(item) : null;
    if (variable) visitText(variable[1] ?? '', variable[2] ?? '', depth);
    visit(name, item, depth);
  }

  /** A list of pairs has the name in one property and the value in another. */
  function visitObject(object: object, depth: number): void {
    const entries = Object.entries(object);
    const pairName = entries.find(
      ([key, item]) => (key === 'name' || key === 'key') && typeof item === 'string',
    )?.[1];
    for (const [key, item] of entries) visit(key === 'value' && pairName ? pairName : key, item, depth);
  }

  visit('', source, 0);
  return [...found];
}
