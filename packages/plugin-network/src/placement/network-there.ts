import type { DockerClient, RunTopology } from '@argusai/plugin-docker';

/** Whether the network of a run is there. The engine is asked only where no container that runs is on it. */
export async function isNetworkThere(
  client: DockerClient,
  { network, containers }: RunTopology,
  signal: AbortSignal,
): Promise<boolean> {
  const isUsed = containers.some(
    ({ running, networks }) => running && networks.some(({ name }) => name === network),
  );
  return isUsed || (await client.inspect('network', [network], { signal })).length > 0;
}
