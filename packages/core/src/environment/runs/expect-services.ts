import type { Kernel } from '../../kernel/kernel.js';
import type { Project } from '../../model/project.js';
import { isMeantToStay } from '../services/meant-to-stay.js';
import type { RunRecord } from './run-record.js';
import { recordsUp } from './runs-up.js';

/** A service that is up by the record of a run, and of which nothing is there. */
export interface MissedService {
  readonly run: RunRecord;
  readonly service: string;
}

/** Which services are missed, given the names of those that were found. */
export type ServicesMissed = (found: Iterable<string>) => Promise<MissedService[]>;

/**
 * Notes which services runs that are up in the project's folder have started on a runtime and that are meant to stay, for whoever
 * looks for them next. What was started or taken down during that look is not missed: it has to be up before and after.
 */
export async function expectServices(
  parts: Pick<Kernel, 'store' | 'clock' | 'config'>,
  project: Project,
  runtime: string,
): Promise<ServicesMissed> {
  const before = await servicesUp(parts, project, runtime);
  return async (found) => {
    const there = new Set(found);
    const missed = before.filter(({ service }) => !there.has(service));
    if (missed.length === 0) return [];
    const after = await servicesUp(parts, project, runtime);
    return missed.filter((one) => after.some((other) => isSameStart(one, other)));
  };
}

async function servicesUp(
  { config, ...parts }: Pick<Kernel, 'store' | 'clock' | 'config'>,
  { name, dir }: Project,
  runtime: string,
): Promise<MissedService[]> {
  const here = (await recordsUp(parts, name)).filter(({ worktree }) => worktree === dir);
  return here.flatMap((run) =>
    Object.entries(run.services)
      // One that has done its work may be cleared away, and one that is not configured any more nobody misses.
      .filter(([service, noted]) => noted.runtime === runtime && isMeantToStay(config, service))
      .map(([service]) => ({ run, service })),
  );
}

function isSameStart(one: MissedService, other: MissedService): boolean {
  const startOf = ({ run, service }: MissedService) => run.services[service]?.startedAt;
  return one.service === other.service && one.run.id === other.run.id && startOf(one) === startOf(other);
}
