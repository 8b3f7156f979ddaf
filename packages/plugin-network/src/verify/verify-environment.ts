import type { StageContext } from '@argusai/core';
import { exploreAll } from './explore-all.js';
import { pathsOf } from './path.js';
import { putBack } from './put-back.js';
import { verificationOf } from './report.js';
import { surveyOf } from './survey.js';
import { unreachableError } from './unreachable-error.js';
import type { VerifyParts } from './verify-parts.js';

/** Proves that every service reaches what it depends on and every mock, and reports on it. Throws when one does not. */
export async function verifyEnvironment(parts: VerifyParts, stage: StageContext): Promise<void> {
  const { run, clock, signal, events } = stage;
  const { timeout: timeoutMs, patience: patienceMs } = parts.verify;
  const first = await surveyOf(parts, stage);
  const { done, refused } = await putBack(parts, first.topology, stage);
  const survey = done.length === 0 ? first : await surveyOf(parts, stage);
  // Some were connected before anybody waited for their health; what was replaced since is not worth a word.
  const again = survey.topology?.containers.filter(({ id }) => parts.reconnected.has(id)) ?? [];
  const reconnected = again.map(({ service }) => service);
  parts.reconnected.clear();

  const explored = await exploreAll(parts, survey, pathsOf(survey), {
    run,
    clock,
    signal,
    patienceMs,
    onExplored({ path: { from, to }, verdict: { status } }) {
      const reachable = status === 'reachable';
      events.emit('network_check', { service: to.name, from: from.name, reachable, status });
    },
  });
  const verification = verificationOf(explored, survey.topology, { reconnected, refused, now: clock.now() });
  stage.report('networkVerification', verification);
  events.emit('network_verified', { allReachable: verification.allReachable });

  const error = await unreachableError(explored, {
    client: parts.client,
    survey,
    refused,
    timeoutMs,
    signal,
  });
  if (error) throw error;
}
