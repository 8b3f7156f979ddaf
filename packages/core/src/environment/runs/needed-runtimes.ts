import type { Kernel } from '../../kernel/kernel.js';
import type { Runtime } from '../runtime.js';
import { environmentOf } from '../services/environment-of.js';
import { runtimesOf } from '../services/runtime-of.js';
import { runsOf } from './runs.js';

/**
 * The runtimes that can have something of a project: those that its services use, and those that a run of it has used. The others are
 * not even asked, because a project of commands must not miss an engine. One without any service has not said what it can do
 * without, so it counts as one that needs all.
 */
export async function neededRuntimes(
  kernel: Pick<Kernel, 'runtimes' | 'config' | 'project' | 'store'>,
): Promise<Runtime[]> {
  const { runtimes, config, project, store } = kernel;
  const { services } = environmentOf(config, project);
  if (services.length === 0) return [...runtimes.values()];
  const runs = await runsOf(store, project.name);
  return [...new Set([undefined, ...runs].flatMap((run) => runtimesOf(kernel, run, services)))];
}
