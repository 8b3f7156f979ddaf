import * as z from 'zod';
import { reasonOf } from './reason.js';

/** One published port. */
export interface PortMapping {
  /** The port on this machine, or null when any free one will do. */
  readonly host: number | null;
  /** The port inside the container, or the one that the process listens on. */
  readonly container: number;
  /** The address on this machine, or null for the default. */
  readonly ip: string | null;
  readonly protocol: 'tcp' | 'udp';
}

const expected = 'a port mapping such as "8080:3000", "127.0.0.1:8080:3000", "3000/udp" or 3000';
const address = '(?:(\\[[\\da-f:.]+\\]|\\d+\\.\\d+\\.\\d+\\.\\d+):)';
const ports = '(\\d+(?:-\\d+)?)';
const syntax = new RegExp(`^(?:${address}?${ports}:|${address}:)?${ports}(?:/(tcp|udp))?$`, 'i');

/** Reads Compose's short port syntax. A range gives one mapping for each of its ports. */
export function parsePorts(text: string | number): PortMapping[] {
  const match = syntax.exec(String(text).trim());
  const inside = range(match?.[4]);
  const outside = match?.[2] === undefined ? inside.map(() => null) : range(match[2]);
  if (inside.length === 0 || inside.length !== outside.length) {
    throw new Error(`${JSON.stringify(text)} is not a port mapping, expected ${expected}`);
  }
  const ip = match?.[1] ?? match?.[3] ?? null;
  const protocol = match?.[5]?.toLowerCase() === 'udp' ? 'udp' : 'tcp';
  return inside.map((container, index) => ({ host: outside[index] ?? null, container, ip, protocol }));
}

/** The ports of `3000` or `3000-3005`; none when they do not exist. */
function range(text: string | undefined): number[] {
  const [first = 0, last = first] = (text ?? '').split('-').map(Number);
  if (first < 1 || last > 65_535 || last < first) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const entry = z
  .union([z.string(), z.number()], { error: `expected ${expected}` })
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
export function portMappings() {
  return z
    .array(entry)
    .transform((mappings) => mappings.flat())
    .prefault([]);
}
