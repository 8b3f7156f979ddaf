import {
  argumentList,
  defineRecoverer,
  diskSpaceLow,
  formatSize,
  isArgusError,
  labelNames,
  type StepResult,
  toStructuredError,
} from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { labelFilters } from '../client/label-filters.js';
import type { DockerNeed } from '../docker-need.js';
import { dockerObjectMissing, dockerSpaceReclaimable } from '../error-codes.js';

/** Removing the layers of a large image takes a while. */
const removeMs = 120_000;

/** The part of `docker inspect` of an image that is read here. */
interface ImageJson {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly Size: number;
  readonly Config: { readonly Labels: Readonly<Record<string, string>> | null } | null;
}

/**
 * Makes `docker.prune`: removes images that argus built for this project, that have lost their name to a newer build and
 * that no container uses. The build cache stays: Docker cannot tell whose a part of it is.
 */
export function pruneRecoverer(client: DockerClient, need: () => Promise<DockerNeed>) {
  return defineRecoverer({
    name: 'docker.prune',
    description: "Removes this project's own images that a newer build has replaced",
    handles: [diskSpaceLow, dockerSpaceReclaimable],
    risk: 'destructive',

    async plan({ project, signal }) {
      // Without containers there are no images, and there may be no engine to ask.
      if ((await need()).for === 'nothing') return [];
      const [images, used] = await Promise.all([
        replacedImages(client, project.name, signal),
        imagesInUse(client, signal),
      ]);
      const unused = images.filter(({ Id }) => !used.has(Id));
      return unused.map(({ Id, Size }) => ({
        target: `image:${Id}`,
        action: 'remove',
        description: `Remove the unnamed image ${shortId(Id)} of ${project.name} (${formatSize(Size)})`,
        reversible: false,
        data: { id: Id },
      }));
    },

    async apply({ steps, project, signal }) {
      // Whose an image is, is asked again; that nothing uses it, Docker itself makes sure of.
      const images = await replacedImages(client, project.name, signal);
      return Promise.all(
        steps.map(async ({ target }): Promise<StepResult> => {
          const image = images.find(({ Id }) => target === `image:${Id}`);
          if (!image) return { target, applied: true };
          try {
            await client.run(argumentList(['image', 'rm'], {}, [image.Id]), { signal, timeoutMs: removeMs });
            return { target, applied: true };
          } catch (thrown) {
            // Somebody else was quicker.
            if (isArgusError(thrown) && thrown.code === dockerObjectMissing.code)
              return { target, applied: true };
            return { target, applied: false, error: toStructuredError(thrown) };
          }
        }),
      );
    },
  });
}

/** The images without a name that carry this project's labels. */
async function replacedImages(
  client: DockerClient,
  project: string,
  signal: AbortSignal,
): Promise<ImageJson[]> {
  const labels = { [labelNames.managed]: 'true', [labelNames.project]: project };
  const filter = ['dangling=true', ...labelFilters(labels)];
  const args = argumentList(['images'], { quiet: true, 'no-trunc': true, filter });
  const ids = linesOf(await client.run(args, { signal }));
  const images = await client.inspect<ImageJson>('image', ids, { signal });
  return images
    .filter(({ Config }) => Object.entries(labels).every(([name, value]) => Config?.Labels?.[name] === value))
    .filter(({ RepoTags }) => (RepoTags ?? []).length === 0)
    .sort((one, other) => (one.Id < other.Id ? -1 : 1));
}

/** What containers are made of, also those that do not run. */
async function imagesInUse(client: DockerClient, signal: AbortSignal): Promise<Set<string>> {
  const containers = linesOf(
    await client.run(argumentList(['ps'], { all: true, quiet: true, 'no-trunc': true }), { signal }),
  );
  const found = await client.inspect<{ Image: string }>('container', containers, { signal });
  return new Set(found.map(({ Image }) => Image));
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').filter((line) => line !== ''))];
}

function shortId(id: string): string {
  return id.replace(/^sha256:/, '').slice(0, 12);
}
