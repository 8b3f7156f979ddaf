import { argumentList, labelNames, type RunContext, type ServiceSpec } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { askDocker, type DockerAnswer } from './ask-docker.js';
import type { ContainerJson } from './container-json.js';
import { containerName } from './names.js';

/** A container that runs or is not ours holds the name, nobody does any more, or what became of starting it again. */
export type Revival = 'held' | 'nothing' | DockerAnswer;

/**
 * Starts a container of this service that has ended again, with the files it wrote and its log, as Docker's own restart
 * policy would. One that was made from another spec makes room for a new one.
 */
export async function reviveContainer(
  client: DockerClient,
  service: ServiceSpec,
  spec: string,
  { run }: RunContext,
  signal: AbortSignal,
): Promise<Revival> {
  const name = containerName(run, service.name);
  const [found] = await client.inspect<ContainerJson>('container', [name], { signal });
  if (found === undefined) return 'nothing';
  const labels = found.Config.Labels ?? {};
  const isOurs = labels[labelNames.runId] === run.id && labels[labelNames.service] === service.name;
  if (!isOurs || found.State.Running) return 'held';
  if (labels[labelNames.spec] === spec) return beginAgain(client, found.Id, signal);
  await askDocker(client, removal(found.Id), { signal });
  return 'nothing';
}

/** Starts a container that has ended. One that does not start is removed, so that nothing of the service is left. */
export async function beginAgain(
  client: DockerClient,
  id: string,
  signal: AbortSignal,
): Promise<DockerAnswer> {
  const answer = await askDocker(client, argumentList(['start'], {}, [id]), { signal });
  if (answer.exitCode !== 0) await askDocker(client, removal(id), { signal });
  return answer;
}

/** The command that removes containers with the volumes that are theirs alone, whatever they are doing. */
export function removal(...ids: readonly string[]): string[] {
  return argumentList(['rm'], { force: true, volumes: true }, ids);
}
