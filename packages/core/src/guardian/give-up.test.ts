import { describe, expect, it } from 'vitest';
import { exhausted } from './give-up.js';
import type { Evidence, OpenIncident } from './incident.js';

const evidence = (exitCode: number): Evidence => ({
  ...{ at: 9, status: 'exited', exitCode, oomKilled: false, startedAt: 1_000, endedAt: 1_250 },
  ...{ memory: { limit: null, peak: null }, lines: [], health: [], details: {}, diagnosis: {}, gaps: [] },
});
const error = (code: string) => ({
  ...({ code, category: 'container', severity: 'recoverable', message: `because of ${code}` } as const),
  ...{ details: {}, suggestedActions: [], timestamp: 0 },
});
const incidentOf = (...codes: string[]): OpenIncident => ({
  ...{ service: 'api', runId: 'r1', startedAt: 0, error: error('CONTAINER_CRASH') },
  restarts: codes.map((code, index) => ({
    ...{ attempt: index + 1, at: 0, reason: 'exit code 1', code, delayMs: 0, evidence: evidence(1) },
    verdict: 'failed' as const,
  })),
});
const last = (code: string, limit: 'max-restarts' | 'storm-limit' = 'max-restarts') => ({
  ...{ error: error(code), reason: 'exit code 1', evidence: evidence(1), limit },
});

describe('a service that is given up', () => {
  it.each([
    ['CONTAINER_CRASH', 'crash-loop'],
    ['CONTAINER_OOM', 'out-of-memory-loop'],
    ['HEALTH_CHECK_TIMEOUT', 'health-loop'],
  ])('fails again and again with %s, which is a %s', (code, pattern) => {
    expect(exhausted(incidentOf(code, code), last(code))).toMatchObject({
      ...{ code: 'CONTAINER_RESTART_EXHAUSTED', severity: 'fatal', timestamp: 9 },
      details: { pattern, attempts: 2, cause: { code, message: `because of ${code}` } },
    });
  });

  it('may fail in several ways', () => {
    const { message, details } = exhausted(incidentOf('CONTAINER_OOM'), last('CONTAINER_CRASH'));
    expect(details.pattern).toBe('mixed');
    expect(message).toBe(
      'api is restarted no more (it fails in several ways, last exit code 1 after 250ms): 1 restart did not help',
    );
  });

  it('may have used up what it may have in an hour', () => {
    const { message, details } = exhausted(incidentOf(), last('CONTAINER_CRASH', 'storm-limit'));
    expect(details).toMatchObject({ limit: 'storm-limit', attempts: 0, history: [{ verdict: 'given-up' }] });
    expect(message).toContain('it was restarted too often lately');
  });
});
