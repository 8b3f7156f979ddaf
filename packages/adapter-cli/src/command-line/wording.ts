import type { Command } from './command.js';
import { isPositional, placeholder } from './parse-input.js';

/** How an operation and its input are written on a command line. */
export function wordingOf({ name, fields }: Pick<Command, 'name' | 'fields'>) {
  return {
    operation: `argus ${name}`,
    field(key: string): string {
      const field = fields.find((one) => one.key === key);
      if (field === undefined) return key;
      return isPositional(field) ? (field.placement?.shown ?? placeholder(field)) : `--${field.option}`;
    },
  };
}
