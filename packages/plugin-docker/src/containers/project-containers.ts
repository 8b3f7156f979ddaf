import { type Clock, labelNames, ownershipOf, type Project, runsUp, type StateStore } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from '../runtime/container-json.js';
import { networkName } from '../runtime/names.js';
import { withTrueOom } from '../runtime/true-oom.js';

/** A container that a run of this project folder has made and that belongs to its environment. */
export interface ProjectContainer {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  readonly runId: string;
  readonly state: ContainerJson['State'];
  /** It runs and is not on the network of its run. */
  readonly isOffNetwork: boolean;
  /** Bytes, or null when there is no limit. */
  readonly memoryLimit: number | null;
}

/** What is needed to tell whose a container is. */
export interface ContainerParts {
  readonly client: DockerClient;
  readonly store: StateStore;
  readonly clock: Clock;
}

/**
 * The containers of the environment that is up in the project's folder. Only those whose labels prove it, by the record
 * in the store that they name: what another folder, another store or an earlier run has made is for others to judge.
 */
export async function projectContainers(
  { client, store, clock }: ContainerParts,
  project: Project,
  signal: AbortSignal,
): Promise<ProjectContainer[]> {
  const labels = { [labelNames.managed]: 'true', [labelNames.project]: project.name };
  const ids = await client.list('container', labels, { signal });
  const found = await withTrueOom(
    client,
    await client.inspect<ContainerJson>('container', ids, { signal }),
    signal,
  );
  const runs = await runsUp({ store, clock }, project.name);
  const storeId = await store.id();
  return found.flatMap(({ Id, Name, State, Config, HostConfig, NetworkSettings }) => {
    const owner = ownershipOf(Config.Labels ?? {});
    if (owner?.project !== project.name || owner.store !== storeId || owner.worktree !== project.dir)
      return [];
    if (owner.service === undefined || !runs.has(owner.runId)) return [];
    const network = networkName({ project: owner.project, id: owner.runId });
    return [
      {
        id: Id,
        name: Name.replace(/^\//, ''),
        service: owner.service,
        runId: owner.runId,
        state: State,
        isOffNetwork: State.Running && !Object.hasOwn(NetworkSettings.Networks ?? {}, network),
        memoryLimit: HostConfig.Memory || null,
      },
    ];
  });
}
