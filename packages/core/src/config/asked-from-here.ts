import type { PortMapping } from './port-mapping.js';

/** A service as far as its health check can be tried. */
interface Asked {
  readonly image?: string | undefined;
  readonly build?: unknown;
  readonly ports: readonly Pick<PortMapping, 'container' | 'protocol'>[];
  readonly healthcheck?:
    | {
        readonly http?: string | undefined;
        readonly tcp?: number | undefined;
        readonly command?: unknown;
        readonly port?: number | undefined;
      }
    | undefined;
}

/**
 * Why the health check of a service cannot be tried from this machine, and the key that is to blame; nothing when it can. A port that
 * a container does not publish is another's here, who may answer in its place.
 */
export function whyNotAsked({ image, build, ports, healthcheck = {} }: Asked) {
  const { http, tcp, command } = healthcheck;
  // That there is more than one of them is a problem of its own.
  if ([http, tcp, command].filter((one) => one !== undefined).length !== 1) return undefined;
  if (tcp === undefined && !http?.startsWith('/')) return undefined;
  const isContainer = image !== undefined || build !== undefined;
  const published = ports.filter(({ protocol }) => protocol === 'tcp');
  const port = tcp ?? healthcheck.port;
  if (port === undefined) {
    if (published.length > 0) return undefined;
    const way = isContainer
      ? publishing('one', 8080)
      : 'publish one over TCP under ports, or name it as healthcheck.port';
    return { key: 'http', message: `has no port to ask for it: ${way}` };
  }
  if (!isContainer || published.some(({ container }) => container === port)) return undefined;
  const problem = `the container does not publish port ${port}, so nothing can ask it there`;
  return { key: tcp === undefined ? 'port' : 'tcp', message: `${problem}: ${publishing('it', port)}` };
}

function publishing(what: string, port: number): string {
  return `publish ${what}, for instance ports: ["${port}"], which gives it any free port of this machine, or use healthcheck.command`;
}
