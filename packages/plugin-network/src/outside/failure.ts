import type { UnreachableReason } from '../error-codes.js';

/** What is wrong with a certificate. */
export type CertificateReason = 'expired' | 'not-yet-valid' | 'wrong-host' | 'untrusted';

/** Why something outside did not answer. */
export type Failure = { readonly systemCode: string } & (
  | { readonly kind: 'dns'; readonly reason: 'not-found' | 'no-answer' }
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason }
  | { readonly kind: 'certificate'; readonly reason: CertificateReason }
  /** Somebody is there who speaks another language. */
  | { readonly kind: 'not-http' }
  /** The machine that looks is the one in trouble, so nothing is known about the other. */
  | { readonly kind: 'unknown' }
);

/** Thrown when our own patience is over. */
export class TookTooLong extends Error {
  readonly code = 'ETIMEDOUT';
}

const names = {
  ENOTFOUND: 'not-found',
  ENODATA: 'not-found',
  EAI_AGAIN: 'no-answer',
  EAI_FAIL: 'no-answer',
  ESERVFAIL: 'no-answer',
  ETIMEOUT: 'no-answer',
} as const;

const connections = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timed-out',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  EHOSTDOWN: 'no-route',
  ENETDOWN: 'no-route',
} as const;

const certificates = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-host',
} as const;

const untrusted = /SELF_SIGNED|^UNABLE_TO_|^CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED/;
const anotherLanguage = /^HPE_|^EPROTO$|^ERR_SSL_|^ERR_TLS_|^ERR_HTTP_/;
const ourOwn = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'];

/** Says what an error of a lookup, a connection or a request means. */
export function failureOf(error: unknown): Failure {
  const systemCode = codeOf(error);
  if (systemCode in names) {
    return { kind: 'dns', reason: names[systemCode as keyof typeof names], systemCode };
  }
  if (systemCode in connections) {
    const reason = connections[systemCode as keyof typeof connections];
    return { kind: 'unreachable', reason, systemCode };
  }
  if (systemCode in certificates) {
    const reason = certificates[systemCode as keyof typeof certificates];
    return { kind: 'certificate', reason, systemCode };
  }
  if (untrusted.test(systemCode)) return { kind: 'certificate', reason: 'untrusted', systemCode };
  if (anotherLanguage.test(systemCode)) return { kind: 'not-http', systemCode };
  if (ourOwn.includes(systemCode)) return { kind: 'unknown', systemCode };
  return { kind: 'unreachable', reason: 'failed', systemCode };
}

/** A name with several addresses fails with one error for each; the first has the word. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : error.name;
}
