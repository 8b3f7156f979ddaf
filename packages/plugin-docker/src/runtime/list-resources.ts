import { labelNames, ownershipOf, type Resource } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ListedType } from '../client/engine-paths.js';
import type { ContainerJson } from './container-json.js';

/** What the runtime calls itself. */
export const runtimeName = 'docker';

type Labels = Readonly<Record<string, string>> | null;

interface Thing {
  readonly type: ListedType;
  readonly id: string;
  readonly name: string;
  readonly labels: Labels;
}

/** Everything that runs of a project have made and that is provably theirs: three listings at once, three looks. */
export async function listResources(
  client: DockerClient,
  { project, runId }: { readonly project: string; readonly runId?: string },
  signal: AbortSignal,
): Promise<Resource[]> {
  const labels = {
    [labelNames.managed]: 'true',
    [labelNames.project]: project,
    ...(runId === undefined ? {} : { [labelNames.runId]: runId }),
  };
  const look = async <T>(type: ListedType, thingOf: (found: T) => Thing): Promise<Thing[]> => {
    const ids = await client.list(type, labels, { signal });
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
