import { isContainer } from '../is-container.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';

/** What is looked at of a service, be it configured or resolved. */
interface ServiceTexts {
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
  return lost.map(({ container }) => container).filter((port) => isSpeltOut(name, port, services));
}

/** Whether the text of a container spells out a port of a service outside of containers. */
export function isSpeltOut(name: string, port: number, services: readonly ServiceTexts[]): boolean {
  const texts = services.filter(isContainer).flatMap(textsInside);
  return texts.some((text) => has(text, name, port));
}

/** What a service is told by text where it runs; its variables follow the ports. A health check over HTTP is asked from this machine. */
function textsInside({ command = [], entrypoint = [], healthcheck }: ServiceTexts): string[] {
  return [command, entrypoint, healthcheck?.command ?? []].flat();
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
