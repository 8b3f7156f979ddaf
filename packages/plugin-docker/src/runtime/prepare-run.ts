import {
  ArgusError,
  argumentList,
  labelNames,
  labelsOf,
  quoted,
  type RunContext,
  serviceStartFailed,
} from '@argusai/core';
import { askDocker } from './ask-docker.js';
import type { DockerParts } from './docker-parts.js';
import { assignments } from './label-arguments.js';
import { namedVolumes } from './mounts.js';
import { networkName, volumeName } from './names.js';
import { runsInContainer } from './runs-in-container.js';
import { linesOf } from './start-failure.js';

/** Makes the network and the named volumes of a run; nothing when none of its services is a container. */
export async function prepareRun(parts: DockerParts, context: RunContext): Promise<void> {
  const services = context.services.filter(runsInContainer);
  if (services.length === 0) return;
  const labels = assignments(labelsOf(context.run, context.clock.now()));
  await Promise.all([
    makeNetwork(parts, context, labels),
    ...namedVolumes(services).map((name) => makeVolume(parts, context, labels, name)),
  ]);
}

async function makeNetwork({ client }: DockerParts, context: RunContext, label: readonly string[]) {
  const { signal } = context;
  const name = networkName(context.run);
  const { exitCode, stderr } = await askDocker(
    client,
    argumentList(['network', 'create'], { label }, [name]),
    { signal },
  );
  if (exitCode === 0 || (await isOurs(client, name, context))) return;
  throw unprepared(context, `The network ${name} could not be made`, stderr);
}

/** To make a volume that is there already is no error for Docker. */
async function makeVolume(
  { client }: DockerParts,
  context: RunContext,
  label: readonly string[],
  short: string,
) {
  const { signal } = context;
  const name = volumeName(context.run, short);
  const { exitCode, stderr } = await askDocker(
    client,
    argumentList(['volume', 'create'], { label }, [name]),
    { signal },
  );
  if (exitCode !== 0) throw unprepared(context, `The volume ${name} could not be made`, stderr);
}

async function isOurs(
  client: DockerParts['client'],
  name: string,
  { run, signal }: RunContext,
): Promise<boolean> {
  const found = await client.inspect<{ Labels: Record<string, string> | null }>('network', [name], {
    signal,
  });
  return found.some(({ Labels }) => Labels?.[labelNames.runId] === run.id);
}

function unprepared({ services }: RunContext, what: string, stderr: string) {
  const reason = stderr.includes('already exists') ? 'name-taken' : 'failed';
  const lines = linesOf(stderr);
  return new ArgusError(serviceStartFailed, {
    message: `${what}: ${lines[0] === undefined ? 'Docker did not say why' : quoted(lines[0])}`,
    details: { service: services.find(runsInContainer)?.name ?? '', reason, lines },
  });
}
