import { argumentList, labelsOf, type RunIdentity } from '@argusai/core';
import type { ContainerPlace } from '@argusai/plugin-docker';
import { type DockerProbeParts, runScript } from './inside.js';
import type { Probe } from './probe.js';
import { scriptWords } from './script.js';

/** Images with a shell that many machines have. */
const common = ['busybox', 'alpine'];

/** Images that may have what a probe needs, and those that turned out to have it or not. */
export class Companions {
  readonly #hopeful: string[];
  #useful: string | undefined;

  /** `images`: those of the run, which are on the engine already. */
  constructor(images: readonly string[]) {
    this.#hopeful = [...new Set([...images, ...common])];
  }

  /** There is a shell in this one. */
  praise(image: string): void {
    this.#useful ??= image;
  }

  /** There is none in this one. */
  dismiss(image: string): void {
    const place = this.#hopeful.indexOf(image);
    if (place >= 0) this.#hopeful.splice(place, 1);
  }

  /** Images to try, the most promising first. */
  candidates(): string[] {
    return this.#useful === undefined ? [...this.#hopeful] : [this.#useful];
  }
}

/**
 * Makes a probe that looks from a container of its own in the network of another, from an image that is there already:
 * nothing is ever pulled. It carries the labels of the run and goes away by itself.
 */
export function probeCompanion(
  { id }: Pick<ContainerPlace, 'id'>,
  run: RunIdentity,
  companions: Companions,
  parts: DockerProbeParts,
): Probe {
  return async (attempts, signal) => {
    const labels = Object.entries(labelsOf(run, parts.clock.now()));
    const options = {
      rm: true,
      pull: 'never',
      network: `container:${id}`,
      entrypoint: 'sh',
      'cap-drop': 'ALL',
      'security-opt': 'no-new-privileges',
      'no-healthcheck': true,
      label: labels.map(([name, value]) => `${name}=${value}`),
    };
    for (const image of companions.candidates()) {
      const words = argumentList(['run'], options, [image, ...scriptWords(attempts, parts.timeoutMs)]);
      const seen = await runScript(words, attempts, parts, signal);
      if (seen !== undefined) {
        companions.praise(image);
        return seen;
      }
      companions.dismiss(image);
    }
    return undefined;
  };
}
