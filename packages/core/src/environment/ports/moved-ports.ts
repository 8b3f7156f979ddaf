import type { PortAssignment } from '../runs/run-record.js';

/** What stands for this machine in a URL; not as the end of another name, and not as a part of a path. */
const local = String.raw`(?<![\w.-])(?<!(?<!\/)\/)(localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])`;
const place = new RegExp(String.raw`${local}(?::(\d+)\b|(?![\w.:-]))`, 'g');
const usual: Readonly<Record<string, number>> = { http: 80, ws: 80, https: 443, wss: 443 };

/**
 * A text in which the local addresses lead to the ports that services have instead of those that they asked for. Where several
 * asked for the same, the service whose text it is comes first, then one that has got what it asked for.
 */
export function withMovedPorts(
  text: string,
  assignments: readonly PortAssignment[],
  service: string,
): string {
  return replaceMoved(text, assignments, service, (host, { actualPort }) => `${host}:${actualPort}`);
}

/** The ports that services asked for and do not have, as far as a text spells them out. */
export function movedPortsIn(
  text: string,
  assignments: readonly PortAssignment[],
  service: string,
): PortAssignment[] {
  const found: PortAssignment[] = [];
  replaceMoved(text, assignments, service, (host, moved) => {
    found.push(moved);
    return host;
  });
  return found;
}

function replaceMoved(
  text: string,
  assignments: readonly PortAssignment[],
  service: string,
  instead: (host: string, moved: PortAssignment) => string,
): string {
  return text.replace(place, (whole, host: string, written: string | undefined, offset: number) => {
    const scheme = /([a-z][a-z\d+.-]*):\/\/(?:[^/@\s]*@)?$/i.exec(text.slice(0, offset))?.[1]?.toLowerCase();
    const port = written === undefined ? usual[scheme ?? ''] : Number(written);
    const protocol = scheme === 'udp' ? 'udp' : 'tcp';
    const asked = assignments.filter(({ originalPort }) => originalPort === port);
    const found =
      asked.find((one) => one.service === service && (one.protocol ?? 'tcp') === protocol) ??
      asked.find((one) => one.service === service) ??
      pick(asked.filter((one) => (one.protocol ?? 'tcp') === protocol)) ??
      pick(asked);
    return found === undefined || found.actualPort === port ? whole : instead(host, found);
  });
}

/** One that has what it asked for: then the text is right as it is. Otherwise the first. */
function pick(asked: readonly PortAssignment[]): PortAssignment | undefined {
  return asked.find(({ originalPort, actualPort }) => originalPort === actualPort) ?? asked[0];
}
