import { formatPath } from '../../config/path.js';
import { isContainer } from '../is-container.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';

/** What is looked at of a service, be it configured or resolved. */
interface ServiceTexts extends Pick<ServiceSpec, 'name' | 'kind'> {
  readonly image?: unknown;
  readonly build?: unknown;
  readonly command?: ServiceSpec['command'] | undefined;
  readonly entrypoint?: ServiceSpec['entrypoint'] | undefined;
  readonly healthcheck?: { readonly command?: HealthSpec['command'] | undefined } | undefined;
}

/**
 * The ports that something outside of containers was configured with and does not have on this machine, as far as the texts of
 * containers spell them out, as in `http://pay:9090/`.
 */
export function portsSpeltOut(
  { name, ports }: Pick<ServiceSpec, 'name' | 'ports'>,
  services: readonly ServiceSpec[],
): number[] {
  const lost = ports.filter(({ host, container }) => host !== null && host !== container);
  if (lost.length === 0) return [];
  return lost
    .map(({ container }) => container)
    .filter((port) => spellingOf(name, port, services) !== undefined);
}

/** The key of the text of a container that spells out a port of a service outside of containers, if one does. */
export function spellingOf(
  name: string,
  port: number,
  services: readonly ServiceTexts[],
): string | undefined {
  const texts = services.filter(isContainer).flatMap(textsInside);
  return texts.find(({ text }) => has(text, name, port))?.key;
}

/** What a service is told by text where it runs; its variables follow the ports. A health check over HTTP is asked from this machine. */
function textsInside({ name, kind, command = [], entrypoint = [], healthcheck }: ServiceTexts) {
  const parts = { command, entrypoint, 'healthcheck.command': healthcheck?.command ?? [] };
  return Object.entries(parts).flatMap(([part, words]) =>
    [words].flat().map((text) => ({ text, key: formatPath([`${kind}s`, name, ...part.split('.')]) })),
  );
}

/** Not as a part of another name or another number. */
function has(text: string, name: string, port: number): boolean {
  const place = `${name}:${port}`;
  for (let at = text.indexOf(place); at >= 0; at = text.indexOf(place, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + place.length]];
    if (!/[\w.-]/.test(before) && !/\d/.test(after)) return true;
  }
  return false;
}
