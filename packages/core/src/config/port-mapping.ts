import * as z from 'zod';
import { counted } from '../model/counted.js';
import { reasonOf } from './reason.js';
import { shared } from './sections/shared.js';

/** One published port. */
export interface PortMapping {
  /** The port on this machine, or null when any free one will do. */
  readonly host: number | null;
  /** The port inside the container, or the one that the process listens on. */
  readonly container: number;
  /** The address on this machine, or null for the default. */
  readonly ip: string | null;
  readonly protocol: 'tcp' | 'udp';
  /** Where several ports on this machine will do, the first and the last of them; `host` is one of them or instead of them. */
  readonly hostRange?: readonly [first: number, last: number];
}

const expected =
  'a port mapping such as "8080:3000", "127.0.0.1:8080:3000", "8080-8090:3000", "3000/udp" or 3000';
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const address = `(?:(\\[[\\da-f:.]+\\]|${octet}(?:\\.${octet}){3}):)`;
const ports = '(\\d+(?:-\\d+)?)';
const syntax = new RegExp(`^(?:${address}?${ports}:|${address}:)?${ports}(?:/(tcp|udp))?$`, 'i');

/** Reads Compose's short port syntax. A range gives one mapping for each port of the service. */
export function parsePorts(text: string | number): PortMapping[] {
  const match = syntax.exec(String(text).trim());
  const inside = range(match?.[4]);
  const outside = match?.[2] === undefined ? inside.map(() => null) : range(match[2]);
  const isChoice = inside.length === 1 && outside.length > 1;
  if (inside.length === 0 || (inside.length !== outside.length && !isChoice)) {
    throw new Error(`${JSON.stringify(text)} is not a port mapping${reasonFor(text, inside, outside)}`);
  }
  const ip = match?.[1] ?? match?.[3] ?? null;
  const protocol = match?.[5]?.toLowerCase() === 'udp' ? 'udp' : 'tcp';
  const choice = isChoice ? { hostRange: [outside[0] ?? 0, outside.at(-1) ?? 0] as const } : {};
  return inside.map((container, index) => ({
    host: outside[index] ?? null,
    container,
    ip,
    protocol,
    ...choice,
  }));
}

/** A port as a mock has it: a number is the same on this machine and inside. */
export function mappingOf(port: number | PortMapping): PortMapping {
  return typeof port === 'number' ? { host: port, container: port, ip: null, protocol: 'tcp' } : port;
}

/** Which of a service's ports is meant: the one with that number inside, or its first, where one over TCP comes before others. */
export function portFor<Port extends Pick<PortMapping, 'container' | 'protocol'>>(
  all: readonly Port[],
  container?: number,
  protocol?: PortMapping['protocol'],
): Port | undefined {
  const meant = all.filter(
    (one) =>
      (container === undefined || one.container === container) &&
      (protocol === undefined || one.protocol === protocol),
  );
  return meant.find((one) => one.protocol === 'tcp') ?? meant[0];
}

/** The ports of `3000` or `3000-3005`; none when they do not exist. */
function range(text: string | undefined): number[] {
  const [first = 0, last = first] = (text ?? '').split('-').map(Number);
  if (first < 1 || last > 65_535 || last < first) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** What is wrong, where that can be told from what others write. */
function reasonFor(text: string | number, inside: readonly number[], outside: readonly unknown[]): string {
  const plain = String(text).trim();
  const protocol = /\/([a-z]+)$/i.exec(plain)?.[1] ?? 'tcp';
  if (!/^(tcp|udp)$/i.test(protocol)) return `: ${protocol} is not supported, only tcp and udp are`;
  const [, ip = '', rest] = /^([\da-f.:]*:[\da-f.:]*)(:[\d-]*:[\d-]+(?:\/[a-z]+)?)$/i.exec(plain) ?? [];
  if (ip.includes(':') && URL.canParse(`http://[${ip}]`)) {
    return `: an IPv6 address belongs in brackets, "[${ip}]${rest}"`;
  }
  if (inside.length > 0 && outside.length > 0) {
    return `: ${counted(outside.length, 'port')} on this machine cannot go with ${inside.length} of the service`;
  }
  return `, expected ${expected}`;
}

/** Compose's long form, in words that say how the same is written here. */
function shortForm(input: object): string {
  const part = (name: string) => Reflect.get(input, name) as unknown;
  const given = [part('host_ip'), part('published'), part('target')].filter((one) => one !== undefined);
  const protocol = part('protocol') === undefined ? '' : `/${part('protocol')}`;
  const example = part('target') === undefined ? '8080:3000' : `${given.join(':')}${protocol}`;
  return `expected the short form ${JSON.stringify(example)} because the long form is not supported`;
}

const entry = () =>
  z
    .union([z.string(), z.number()], {
      error: ({ input }) =>
        typeof input === 'object' && input !== null ? shortForm(input) : `expected ${expected}`,
    })
    .transform((text, context): PortMapping[] => {
      try {
        return parsePorts(text);
      } catch (error) {
        const message = reasonOf(error);
        context.issues.push({ code: 'custom', input: text, message, params: { expected } });
        return z.NEVER;
      }
    });

/** The schema of a list of ports: Compose's syntax goes in, mappings come out. */
export const portMappings = shared(() =>
  z
    .array(entry())
    .transform((mappings) => mappings.flat())
    .prefault([]),
);
