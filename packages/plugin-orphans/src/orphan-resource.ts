import type { Resource, ResourceType } from '@argusai/core';
import { isLeftCommand } from './left-command.js';

/** A resource as it is reported. */
export interface OrphanResource {
  type: ResourceType;
  name: string;
  id: string;
  project: string;
  runId: string;
  worktree: string;
  runtime: string;
  service?: string;
  /** The number of its process, where it is a command that argus ran. */
  pid?: number;
  /** In ISO format. */
  createdAt: string;
}

/** A resource in words, with the service, the run and the project that it is of. */
export function nameOf({ type, name, service = name, runId, project, worktree }: Resource): string {
  const whose = service === name ? '' : `${service}, `;
  return `the ${type} ${name} (${whose}run ${runId} of ${project} in ${worktree})`;
}

/** Makes a resource fit for a report. */
export function toOrphanResource(resource: Resource): OrphanResource {
  const { type, name, id, project, runId, worktree, runtime, service, createdAt } = resource;
  return {
    type,
    name,
    id,
    project,
    runId,
    worktree,
    runtime,
    ...(service === undefined ? {} : { service }),
    ...(isLeftCommand(resource) ? { pid: resource.pid } : {}),
    createdAt: isoTime(createdAt),
  };
}

/** A label can say a time that no calendar has. */
function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}
