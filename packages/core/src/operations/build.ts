import * as z from 'zod';
import { endLeftBuilds } from '../environment/commands/left-builds.js';
import { environmentOf } from '../environment/services/environment-of.js';
import { buildImages } from '../environment/setup/build-images.js';
import { passGate } from '../environment/setup/gate.js';
import { requireServices } from '../environment/setup/require-services.js';
import { Stages } from '../environment/setup/stages.js';
import { tellStart } from '../environment/setup/tell-start.js';
import { defineOperation } from '../model/operation.js';
import { healthReportSchema } from './report-schemas.js';

/** Builds the images of the project's services. */
export const build = defineOperation({
  name: 'build',
  summary: 'Build the images of this project’s services',
  description:
    'Checks first; an unhealthy environment is refused with its first cause. argus setup builds as well.',
  guidance:
    'Rarely needed: {setup} and {run} build as well. After BUILD_FAILED read details.lines, mend the ' +
    'cause and call it again.',
  input: z.lazy(() => z.strictObject({})),
  output: z.lazy(() =>
    z.object({
      images: z.array(z.object({ service: z.string(), image: z.string(), id: z.string() })),
      duration: z.number().describe('Milliseconds'),
      preflight: healthReportSchema.optional(),
    }),
  ),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  rollsBack: true,
  async run(_input, { kernel, signal }) {
    const begun = kernel.clock.monotonic();
    const { services } = environmentOf(kernel.config, kernel.project);
    await requireServices(kernel, services, 'build');
    tellStart(
      kernel,
      services.filter(({ build: own }) => own !== undefined),
      true,
    );
    const stages = new Stages(kernel);
    // What dead runs left is cleared for a setup; a build goes by the checks alone.
    const isChecked = kernel.config.resilience.preflight.enabled;
    const { preflight } = isChecked ? await stages.run('gate', () => passGate(kernel, signal)) : {};
    await endLeftBuilds(kernel);
    const builds = await stages.run('build', () => buildImages(kernel, services, signal));
    const images = services.flatMap(({ name, image = '' }) => {
      const id = builds.get(name);
      return id === undefined ? [] : [{ service: name, image, id }];
    });
    const duration = Math.round(kernel.clock.monotonic() - begun);
    return { images, duration, ...(preflight ? { preflight } : {}) };
  },
});
