import { describe, expect, it } from 'vitest';
import { failureOf, TookTooLong } from './failure.js';

const failing = (code: string) => Object.assign(new Error('oh'), { code });

describe('what an error of the network means', () => {
  it.each([
    ['ENOTFOUND', { kind: 'dns', reason: 'not-found' }],
    ['EAI_AGAIN', { kind: 'dns', reason: 'no-answer' }],
    ['ECONNREFUSED', { kind: 'unreachable', reason: 'refused' }],
    ['EHOSTUNREACH', { kind: 'unreachable', reason: 'no-route' }],
    ['ECONNRESET', { kind: 'unreachable', reason: 'failed' }],
    ['CERT_HAS_EXPIRED', { kind: 'certificate', reason: 'expired' }],
    ['CERT_NOT_YET_VALID', { kind: 'certificate', reason: 'not-yet-valid' }],
    ['ERR_TLS_CERT_ALTNAME_INVALID', { kind: 'certificate', reason: 'wrong-host' }],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', { kind: 'certificate', reason: 'untrusted' }],
    ['HPE_INVALID_CONSTANT', { kind: 'not-http' }],
    ['ERR_SSL_WRONG_VERSION_NUMBER', { kind: 'not-http' }],
    ['EMFILE', { kind: 'unknown' }],
  ])('is told by its code: %s', (systemCode, failure) => {
    expect(failureOf(failing(systemCode))).toEqual({ ...failure, systemCode });
  });

  it('is told by the first of several', () => {
    const several = new AggregateError([failing('ECONNREFUSED'), failing('ETIMEDOUT')]);
    expect(failureOf(several)).toMatchObject({ reason: 'refused' });
  });

  it('is a broken connection when there is no code', () => {
    expect(failureOf(new TypeError('oh'))).toMatchObject({ reason: 'failed', systemCode: 'TypeError' });
    expect(failureOf('oh')).toMatchObject({ reason: 'failed', systemCode: 'UNKNOWN' });
    expect(failureOf(new AggregateError([]))).toMatchObject({ systemCode: 'AggregateError' });
  });

  it('is a missing answer when our patience is over', () => {
    expect(failureOf(new TookTooLong('oh'))).toMatchObject({ reason: 'timed-out' });
  });
});
