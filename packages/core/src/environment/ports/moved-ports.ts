import type { PortAssignment } from '../runs/run-record.js';
import type { Viewpoint } from './known-ports.js';

/** What stands for this machine, here and in a container. */
const local = String.raw`localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]`;
const fromInside = String.raw`(?:host|gateway)\.docker\.internal|host\.containers\.internal`;
// What an option says inside of a container is a port inside.
const option = String.raw`(?<![\w-])-p[=\s]*|--[\w-]*port[=\s]+|`;
const places = { here: placeOf(local, option), 'in-container': placeOf(fromInside) };
const usual: Readonly<Record<string, number>> = { http: 80, ws: 80, https: 443, wss: 443 };

/** In a URL; not as the end of another name, and not as a part of a path. And apart, as in `host=localhost port=5432`. */
function placeOf(hosts: string, before = '') {
  return {
    inUrl: new RegExp(String.raw`(?<![\w.-])(?<!(?<!\/)\/)(${hosts})(?::(\d+)\b|(?![\w.:-]))`, 'gi'),
    apart: new RegExp(String.raw`\b(?:host|hostname|server)\s*=\s*["']?(?:${hosts})(?![\w.:-])`, 'i'),
    asWords: new RegExp(String.raw`(?:${before}(?<![\w.-])(?:${hosts})\s+)(\d+)(?![\w.])`, 'gi'),
    whole: new RegExp(`^(?:${hosts}|::1?)$`, 'i'),
  };
}

/** Whether a text is a name or an address of this machine and nothing else. */
export function isThisMachine(text: string, from: Viewpoint): boolean {
  return places[from].whole.test(text.trim());
}

/**
 * A text in which the addresses of this machine lead to the ports that services have instead of those that they asked for. Where several
 * asked for the same, the service whose text it is comes first, then one that has got what it asked for.
 */
export function withMovedPorts(
  text: string,
  assignments: readonly PortAssignment[],
  service: string,
  from: Viewpoint = 'here',
): string {
  return replaceMoved(text, assignments, service, from, () => undefined);
}

/**
 * The ports that services asked for and do not have, as far as a command spells them out, be it as `-p 5432` or `localhost 5432`. In the
 * command of a service its own port is one without anything beside it too.
 */
export function movedPortsIn(
  command: string | readonly string[],
  assignments: readonly PortAssignment[],
  service: string,
  from: Viewpoint = 'here',
): PortAssignment[] {
  const text = [command].flat().join(' ');
  const found: PortAssignment[] = [];
  replaceMoved(text, assignments, service, from, (moved) => void found.push(moved));
  for (const [, written] of text.matchAll(places[from].asWords)) {
    const moved = movedFrom(Number(written), assignments, service);
    if (moved) found.push(moved);
  }
  const own = from === 'here' ? assignments.filter((one) => one.service === service) : [];
  for (const [word] of text.matchAll(/(?<!\S)\d+(?!\S)/g)) {
    const moved = movedFrom(Number(word), own, service);
    if (moved) found.push(moved);
  }
  return found;
}

function replaceMoved(
  text: string,
  assignments: readonly PortAssignment[],
  service: string,
  from: Viewpoint,
  tell: (moved: PortAssignment) => void,
): string {
  const { inUrl, apart } = places[from];
  const instead = (port: number | undefined, protocol?: string) => {
    const moved = port === undefined ? undefined : movedFrom(port, assignments, service, protocol);
    if (moved) tell(moved);
    return moved?.actualPort;
  };
  const inUrls = text.replace(inUrl, (whole, host: string, written: string | undefined, offset: number) => {
    const scheme = /([a-z][a-z\d+.-]*):\/\/(?:[^/@\s]*@)?$/i.exec(text.slice(0, offset))?.[1]?.toLowerCase();
    const port = instead(written === undefined ? usual[scheme ?? ''] : Number(written), scheme);
    return port === undefined ? whole : `${host}:${port}`;
  });
  if (!apart.test(text)) return inUrls;
  return inUrls.replace(/\b(port\s*=\s*["']?)(\d+)\b/gi, (_, before: string, written: string) => {
    return `${before}${instead(Number(written)) ?? written}`;
  });
}

/** What became of a port that a text of a service names; nothing where it is right as it is. */
export function movedFrom(
  port: number,
  assignments: readonly PortAssignment[],
  service: string,
  scheme = 'tcp',
): PortAssignment | undefined {
  const protocol = scheme === 'udp' ? 'udp' : 'tcp';
  const asked = assignments.filter(({ originalPort }) => originalPort === port);
  const found =
    asked.find((one) => one.service === service && (one.protocol ?? 'tcp') === protocol) ??
    asked.find((one) => one.service === service) ??
    pick(asked.filter((one) => (one.protocol ?? 'tcp') === protocol)) ??
    pick(asked);
  return found?.actualPort === port ? undefined : found;
}

/** One that has what it asked for: then the text is right as it is. Otherwise the first. */
function pick(asked: readonly PortAssignment[]): PortAssignment | undefined {
  return asked.find(({ originalPort, actualPort }) => originalPort === actualPort) ?? asked[0];
}
