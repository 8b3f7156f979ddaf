import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import type { Json } from '../../model/json.js';
import { ownerLookup } from '../ownership/liveness.js';
import { ownIdentity, processStart } from '../processes/process-identity.js';
import type { RunOwner } from '../runs/run-record.js';
import { endLeftCommands } from './end-left-commands.js';

/** The namespace of processes that build an image. Not in the record of a run: a build needs none. */
const namespace = 'builds';

interface Build extends RunOwner {
  readonly project: string;
  readonly service: string;
  /** The argus that builds, and ends the process unless it is killed itself. */
  readonly by: RunOwner;
}

/** Notes a process that builds an image. Gives what strikes it off again. That this cannot be written must not cost the build anything. */
export async function noteBuild(
  { store, project }: Pick<Kernel, 'store' | 'project'>,
  service: string,
  pid: number,
): Promise<() => Promise<void>> {
  const nothing = async () => undefined;
  try {
    const startedAt = await processStart(pid);
    // It has ended already, or could never be told from another.
    if (startedAt === undefined) return nothing;
    const by = await ownIdentity();
    const build: Build = { host: hostname(), pid, startedAt, project: project.name, service, by };
    const key = `${build.host} ${pid} ${startedAt}`;
    await store.put(namespace, key, build as unknown as Json);
    return async () => void (await store.delete(namespace, key).catch(() => undefined));
  } catch {
    // Nothing was noted, so there is nothing to strike off; if this argus is killed, the build goes on beside the next one.
    return nothing;
  }
}

/**
 * Ends what a killed argus has left of a build of this project: it would go on beside the next one. Only what is surely that, found by
 * its number and its start.
 */
export async function endLeftBuilds(
  kernel: Pick<Kernel, 'clock' | 'events' | 'store' | 'project'>,
): Promise<void> {
  const { store, project } = kernel;
  // A store that cannot be read is for others to tell, and whoever builds loses nothing but time.
  const documents = await store.list(namespace).catch(() => []);
  const lookUp = ownerLookup(hostname());
  for (const { key, value } of documents) {
    const { project: name, service, by, ...command } = value as unknown as Build;
    if (name !== project.name || (await lookUp(by)) !== 'dead') continue;
    await endLeftCommands(kernel, { commands: [{ ...command, by, suite: service }] }, { what: 'a build' });
    if ((await lookUp(command)) === 'dead') await store.delete(namespace, key).catch(() => undefined);
  }
}
