import { REDACTED } from './redacted.js';
import { isNoSecret } from './secret-value.js';

/** What stands between `://` and the path, or the next URL of a list. */
const AUTHORITY = /:\/\/((?:(?!:\/\/)[^\s"'`<>/?#])+)/g;

/**
 * A password with an unescaped `/`, `?` or `#` in it, which ends the authority early. Not a port, since
 * `http://localhost:3000/@vite/client` is harmless. Bounded, so that the search stays linear.
 */
const BROKEN_PASSWORD = /(:\/\/[^\s"'`<>/?#:@[]+:)(?!\d{1,5}(?:[/?#]|$))((?:(?!:\/\/)[^\s"'`<>@]){1,256})@/g;

/** A password with spaces, only in the URL of something that one logs in to: elsewhere it may be a sentence with an address after a URL. */
const SPACED_PASSWORD =
  /((?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|s?ftp|smtps?|ldaps?)(?:\+\w{1,16})?:\/\/[^\s"'`<>/?#:@]{0,128}:)(?!\d{1,5}(?:\W|$))([^\s"'`<>@][^"'`<>@\r\n]{0,255})@(?=[\w[])/gi;

/** Takes passwords and tokens out of the user part of every URL, and leaves the name of the user. */
export function maskUserinfo(text: string): string {
  if (!text.includes('@')) return text;
  return text
    .replace(AUTHORITY, maskAuthority)
    .replace(BROKEN_PASSWORD, maskPassword)
    .replace(SPACED_PASSWORD, maskPassword);
}

function maskPassword(whole: string, before: string, password: string): string {
  return isNoSecret(password) || password.startsWith(REDACTED) ? whole : `${before}${REDACTED}@`;
}

/** The passwords and tokens in the user part of every URL, as written and with their escapes undone. */
export function secretsInUrls(text: string): string[] {
  if (!text.includes('@')) return [];
  const found = [...text.matchAll(AUTHORITY)].flatMap(([, authority = '']) => {
    const { user, password } = partsOf(authority);
    return [...(isToken(user) ? [user] : []), ...(password === undefined ? [] : [password])];
  });
  const broken = [BROKEN_PASSWORD, SPACED_PASSWORD].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, , password = '']) => password),
  );
  return [...found, ...broken].flatMap((secret) => [secret, unescaped(secret)]);
}

function maskAuthority(whole: string, authority: string): string {
  const { user, password, host } = partsOf(authority);
  if (host === undefined) return whole;
  const safeUser = isToken(user) ? REDACTED : user;
  if (password === undefined) return `://${safeUser}@${host}`;
  return `://${safeUser}:${isNoSecret(password) ? password : REDACTED}@${host}`;
}

/** The last `@` divides: passwords with an unescaped one are common, hosts with one do not exist. */
function partsOf(authority: string): { user: string; password?: string; host?: string } {
  const at = authority.lastIndexOf('@');
  if (at < 0) return { user: '' };
  const userinfo = authority.slice(0, at);
  const host = authority.slice(at + 1);
  const colon = userinfo.indexOf(':');
  if (colon < 0) return { user: userinfo, host };
  return { user: userinfo.slice(0, colon), password: userinfo.slice(colon + 1), host };
}

/** `git@` and `postgres@` are names that users need to see, as is `first.last1@`; long ones with digits are tokens. */
function isToken(user: string): boolean {
  return user.length >= 16 && /\d/.test(user) && !user.includes('.');
}

function unescaped(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    // Not an escape after all: the secret is what is written.
    return secret;
  }
}
