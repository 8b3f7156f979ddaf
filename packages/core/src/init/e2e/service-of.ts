import { posix } from 'node:path';
import { property } from '../../model/property.js';
import type { DraftService } from '../draft.js';

/** A service as argus would have it: one of argus as it is, one of ArgusAI with what it keeps under `build` and `container`. */
export function serviceOf(name: string, raw: unknown, from: string): DraftService {
  const container = property(raw, 'container');
  if (container === undefined) return { name, from, spec: { ...Object(raw) }, notes: [] };
  const { name: inNetwork, healthcheck, ...rest } = Object(container);
  const { build, container: _, name: __, ...beside } = Object(raw);
  const spec = { ...buildOf(build), ...rest, ...beside, ...healthOf(healthcheck) };
  const notes =
    typeof inNetwork === 'string' && inNetwork !== name
      ? [`it is reached as ${name}, no longer as ${inNetwork}`]
      : [];
  return { name, from, spec, notes };
}

/** Without a Dockerfile the image is one to run; with one its name has nothing to say, since images are named after their run. */
function buildOf(build: unknown): object {
  if (build === undefined || build === null) return {};
  const { image, dockerfile, context = '.', ...rest } = Object(build);
  if (dockerfile === undefined && image !== undefined) return { image };
  // There the Dockerfile is seen from the project, here from the context.
  const file = typeof dockerfile === 'string' ? posix.relative(String(context), dockerfile) : dockerfile;
  return { build: { context, ...(file === undefined ? {} : { dockerfile: file }), ...rest } };
}

function healthOf(healthcheck: unknown): object {
  if (healthcheck === undefined || healthcheck === null) return {};
  const { path, ...rest } = Object(healthcheck);
  return { healthcheck: { ...(path === undefined ? {} : { http: path }), ...rest } };
}
