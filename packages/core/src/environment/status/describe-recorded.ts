import type { Kernel } from '../../kernel/kernel.js';
import type { Sight } from '../looks/look-recorded.js';
import type { RunRecord } from '../runs/run-record.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { messageOfEnd, nothing, ownHealth, type ServiceStatus, seen, unseen } from './service-status.js';

/** Services that the run has and the configuration does not have any more. What is gone of them is not worth a word. */
export function describeOthers(
  run: RunRecord,
  configured: readonly ServiceSpec[],
  sights: ReadonlyMap<string, Sight>,
): ServiceStatus[] {
  return Object.entries(run.services).flatMap(([name, noted]): ServiceStatus[] => {
    const sight = sights.get(name);
    const isMissing = !sight || (!('failure' in sight) && sight.status === 'missing');
    if (isMissing || configured.some((service) => service.name === name)) return [];
    const common = { name, kind: 'service' as const, runtime: noted.runtime };
    const note = 'no longer in the configuration';
    if ('failure' in sight) return [{ ...common, ...unseen(noted, sight.failure), note }];
    // Nobody misses it when it has ended.
    const ended = { health: 'none' as const, message: messageOfEnd(sight) };
    const health = sight.status === 'exited' ? ended : ownHealth(sight, false);
    return [{ ...common, ...seen(sight, sight.ports ?? noted.ports), ...health, note }];
  });
}

/** Services of a run that no configuration tells of: whether they run is known, and how they should be is not. */
export function describeRecorded(
  { configProblem }: Kernel,
  run: RunRecord,
  sights: ReadonlyMap<string, Sight>,
): ServiceStatus[] {
  const note = configProblem ? 'the configuration cannot be read' : `of the project ${run.project}`;
  return Object.entries(run.services).map(([name, noted]): ServiceStatus => {
    const common = { name, kind: 'service' as const, runtime: noted.runtime, note };
    const sight = sights.get(name) ?? { service: name, status: 'missing' };
    if ('failure' in sight) return { ...common, ...unseen(noted, sight.failure) };
    if (sight.status === 'missing')
      return { ...common, ...nothing, status: 'missing', health: 'none', message: 'it is gone' };
    const seenNow = { ...common, ...seen(sight, sight.ports ?? noted.ports) };
    // One that was to end and did is well; that it was is not recorded, so an end without an error counts as such.
    const own = ownHealth(sight, sight.exitCode === 0);
    if (sight.status !== 'running' || own.health !== 'none') return { ...seenNow, ...own };
    return { ...seenNow, health: 'unknown', message: 'its health check is not known' };
  });
}
