import { labelNames, ownershipOf, type Resource } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';
import { labelFilters } from './label-arguments.js';

/** What the runtime calls itself. */
export const runtimeName = 'docker';

type Labels = Readonly<Record<string, string>> | null;
type DockerType = 'container' | 'network' | 'volume';

interface Thing {
  readonly type: DockerType;
  readonly id: string;
  readonly name: string;
  readonly labels: Labels;
}

const listings: Record<DockerType, readonly string[]> = {
  container: ['ps', '--all', '--quiet', '--no-trunc'],
  network: ['network', 'ls', '--quiet', '--no-trunc'],
  volume: ['volume', 'ls', '--quiet'],
};

/** Everything that runs of a project have made and that is provably theirs: three listings at once, three looks. */
export async function listResources(
  client: DockerClient,
  { project, runId }: { readonly project: string; readonly runId?: string },
  signal: AbortSignal,
): Promise<Resource[]> {
  const filters = labelFilters({
    [labelNames.managed]: 'true',
    [labelNames.project]: project,
    ...(runId === undefined ? {} : { [labelNames.runId]: runId }),
  });
  const look = async <T>(type: DockerType, thingOf: (found: T) => Thing): Promise<Thing[]> => {
    const listed = await client.run([...listings[type], ...filters], { signal });
    const ids = listed.split('\n').filter((id) => id !== '');
    return ids.length === 0 ? [] : (await client.inspect<T>(type, ids, { signal })).map(thingOf);
  };
  const things = await Promise.all([
    look<ContainerJson>('container', ({ Id, Name, Config }) => ({
      type: 'container',
      id: Id,
      name: Name.replace(/^\//, ''),
      labels: Config.Labels,
    })),
    look<{ Id: string; Name: string; Labels: Labels }>('network', ({ Id, Name, Labels }) => ({
      type: 'network',
      id: Id,
      name: Name,
      labels: Labels,
    })),
    look<{ Name: string; Labels: Labels }>('volume', ({ Name, Labels }) => ({
      type: 'volume',
      id: Name,
      name: Name,
      labels: Labels,
    })),
  ]);
  return things.flat().flatMap(({ labels, ...thing }) => {
    const ownership = ownershipOf(labels ?? {});
    const isAskedFor = ownership?.project === project && (runId === undefined || ownership.runId === runId);
    return ownership && isAskedFor ? [{ runtime: runtimeName, ...thing, ...ownership }] : [];
  });
}
