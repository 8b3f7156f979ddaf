import { type ArgusConfig, type Project, runsOf, type StateStore, usedRuntimes } from '@argusai/core';

/**
 * What a project needs Docker for: its services, or only what its runs have left there, or nothing, and why. A project
 * without any service has not said that it can do without, so it counts as one that needs it.
 */
export type DockerNeed =
  | { readonly for: 'services' | 'runs' }
  | { readonly for: 'nothing'; readonly why: string };

/** What is known of a project. */
export interface NeedParts {
  readonly config: Pick<ArgusConfig, 'services' | 'mocks'>;
  readonly project: Pick<Project, 'name'>;
  readonly store: StateStore;
}

/** Tells what a project needs Docker for. A run that has used it counts after its containers have gone from the configuration. */
export async function dockerNeed({ config, project, store }: NeedParts): Promise<DockerNeed> {
  const all = [...Object.values(config.services), ...Object.values(config.mocks)];
  const isContainer = (one: object) =>
    ('image' in one && one.image !== undefined) || ('build' in one && one.build !== undefined);
  if (all.length === 0 || all.some(isContainer)) return { for: 'services' };
  const runs = await runsOf(store, project.name);
  if (runs.some((run) => usedRuntimes(run).has('docker'))) return { for: 'runs' };
  return { for: 'nothing', why: 'No service or mock of this project needs Docker' };
}
