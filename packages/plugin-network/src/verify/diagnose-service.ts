import type { DiagnosisContext } from '@argusai/core';
import { describeRefused, misplacedIn, waitsForApproval } from '../placement/not-reconnected.js';
import { exploreAll } from './explore-all.js';
import { pathsOf } from './path.js';
import { connectionOf, membersOf } from './report.js';
import { surveyOf } from './survey.js';
import type { VerifyParts } from './verify-parts.js';

/**
 * Adds to the evidence of a service that fails its health check whom it reaches, who reaches it, and by which names. Where a
 * container has lost its network, connecting it again is what would help.
 */
export async function diagnoseService(parts: VerifyParts, diagnosis: DiagnosisContext): Promise<void> {
  const { service, run, clock, signal, report, suggest, explain } = diagnosis;
  const survey = await surveyOf(parts, diagnosis);
  const { topology } = survey;
  const { open, refused } = misplacedIn(topology, parts.config);
  if (open.length > 0 || waitsForApproval(refused)) suggest('network.reconnect');
  for (const why of describeRefused(refused)) explain(why);
  const isConcerned = ({ name }: { readonly name: string }) => name === service.name;
  const paths = pathsOf(survey).filter(({ from, to }) => isConcerned(from) || isConcerned(to));
  // One look each: it is about how things are, and somebody waits to mend them.
  const explored = await exploreAll(parts, survey, paths, {
    run,
    clock,
    signal,
    patienceMs: 0,
    onExplored: () => undefined,
  });
  const connections = explored.map(connectionOf);
  const left = refused.length === 0 ? {} : { notReconnected: [...refused] };
  report('network', { connectivity: connections, topology: membersOf(topology), ...left });
  report(
    'dns',
    connections.map(({ from, to, host, dns }) => ({ from, to, host, ...dns })),
  );
}
