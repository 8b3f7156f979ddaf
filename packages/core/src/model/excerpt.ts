import { toJson } from './json.js';

/** How much of a value is shown, in characters. */
const shown = 80;

/** The beginning of a value that is not what it should be, for a message that says so. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(toJson(value));
  return text.length > shown ? `${text.slice(0, shown)}…` : text;
}
