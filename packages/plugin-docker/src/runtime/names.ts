import { createHash } from 'node:crypto';
import type { Project, RunIdentity, ServiceSpec } from '@argusai/core';

/** The name of a run's network. */
export function networkName(run: Pick<RunIdentity, 'project' | 'id'>): string {
  return `argus-${wordOf(run.project)}-${wordOf(run.id)}`;
}

/** The name of a service's container. It carries the run, so that two runs of one project stand side by side. */
export function containerName(run: RunIdentity, service: string): string {
  return `${networkName(run)}-${service}`;
}

/** The name of a volume of a run; the services of the run share it under its short name. */
export function volumeName(run: RunIdentity, name: string): string {
  return `${networkName(run)}-${name}`;
}

/**
 * The image that a service runs: the one it names, or the one that its build gives. A built image without a name gets
 * one that carries the folder, so that two worktrees of one project do not overwrite each other's.
 */
export function imageOf(service: ServiceSpec, project: Project): string {
  if (service.image !== undefined) return service.image;
  const folder = createHash('sha256').update(project.dir).digest('hex').slice(0, 12);
  return `argus-${wordOf(project.name)}-${wordOf(service.name)}:${folder}`.toLowerCase();
}

/** What Docker takes inside a name: a project may be called anything, also `@shop/api`. */
function wordOf(text: string): string {
  const word = text.replace(/[^a-z0-9]+/gi, '-').replace(/^-+|-+$/g, '');
  return word.slice(0, 40).replace(/-+$/, '') || 'x';
}
