import { relative } from 'node:path';
import * as z from 'zod';

/**
 * Where something is said that causes a problem: what a person changes. Whoever raises the problem names the key and what follows
 * from it; file, line and value are filled in when the problem leaves the kernel.
 */
export const configPlace = () =>
  z.object({
    key: z.string().describe('The key of the configuration, such as services.api.ports[0], or the variable'),
    effect: z.string().optional().describe('What follows from its value'),
    to: z.json().optional().describe('The value that would help, where that is known'),
    rename: z.string().optional().describe('The key that was meant'),
    value: z.json().optional().describe('What it says now; missing where it says nothing'),
    from: z.enum(['file', 'default', 'environment']).optional().describe('Who says that'),
    file: z.string().optional().describe('The file'),
    line: z.number().optional().describe('The line, or that of the nearest thing around what is missing'),
  });

/** Where something is said that causes a problem. */
export type ConfigPlace = z.output<ReturnType<typeof configPlace>>;

/** A place in words, with the file as it is seen from a folder: `services.web.command is nodee, argus.config.yaml:3`. */
export function describePlace({ key, value, from, file, line, rename }: ConfigPlace, dir?: string): string {
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  // A key that does not exist may well have a value.
  const unset = rename === undefined ? `${key} is not set` : key;
  const said = value === undefined ? unset : `${key} is ${plain}`;
  if (from === 'default') return `${said} by default`;
  if (file === undefined) return said;
  const near = dir === undefined ? file : relative(dir, file);
  const shown = near.startsWith('..') ? file : near;
  return `${said}, ${shown}${line === undefined ? '' : `:${line}`}`;
}

/** Reads the place that a problem names; nothing where it names none. */
export function placeIn({ where }: { readonly where?: unknown }): ConfigPlace | undefined {
  const isPlace = typeof where === 'object' && where !== null && 'key' in where;
  return isPlace && typeof where.key === 'string' ? (where as ConfigPlace) : undefined;
}
