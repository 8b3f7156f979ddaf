import type * as z from 'zod';

const formats: Readonly<Record<string, string>> = {
  url: 'a URL',
  email: 'an email address',
  uuid: 'a UUID',
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 12:00:00',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'a range of IPv4 addresses',
  cidrv6: 'a range of IPv6 addresses',
  base64: 'base64',
  json_string: 'JSON',
};

/** What a text should have been, in words: `a URL`, `text that begins with "/"`. */
export function formatName(issue: z.core.$ZodIssueInvalidStringFormat): string {
  const { format, prefix, suffix, includes, pattern } = issue as typeof issue &
    Partial<Record<string, string>>;
  if (prefix !== undefined) return `text that begins with ${JSON.stringify(prefix)}`;
  if (suffix !== undefined) return `text that ends with ${JSON.stringify(suffix)}`;
  if (includes !== undefined) return `text that contains ${JSON.stringify(includes)}`;
  if (format === 'regex' && pattern !== undefined) return `text that matches ${pattern}`;
  return formats[format] ?? `text in the format ${format}`;
}

/** Tells whether a message is what zod says by itself, which was not written for users. */
export function isRaw(message: string): boolean {
  return /^(?:Invalid |Too (?:small|big)\b|Unrecognized key)/.test(message);
}
