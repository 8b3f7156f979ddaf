import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { usageInvalid } from '../../model/core-error-codes.js';
import { suggesting } from '../../model/suggesting.js';
import { currentRun } from '../runs/claim-run.js';
import type { ServiceSpec } from '../services/service-spec.js';

/**
 * Refuses a project in which there is nothing to start: before anything is checked, because what nobody needs may well be
 * missing. What an earlier setup has brought up stays: an empty configuration is rather a mistake than a wish.
 */
export async function requireServices(
  kernel: Kernel,
  services: readonly ServiceSpec[],
  aim: 'start' | 'build' = 'start',
): Promise<void> {
  if (services.length > 0) return;
  const { name, dir } = kernel.project;
  const run = await currentRun(kernel);
  const isUp = run !== undefined && Object.keys(run.services).length > 0;
  const action = isUp ? ['clean'] : kernel.origin.file === null ? ['init'] : [];
  throw new ArgusError(suggesting(usageInvalid, action), {
    message: `There is nothing to ${aim}: the project ${name} in ${dir} has no services and no mocks in its configuration${
      isUp ? '; what an earlier setup brought up is still there' : ''
    }`,
    details: { project: name, dir, ...(kernel.origin.file === null ? {} : { file: kernel.origin.file }) },
  });
}
