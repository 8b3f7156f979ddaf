import type { Span } from './line.js';

/** How often something that moves is drawn, in milliseconds. */
export const tickMs = 100;

// Of Braille, so that every frame is as wide as any other character.
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Shows that something goes on, so many milliseconds after it began. */
export function spinner(elapsedMs: number): Span {
  return [frames.charAt(Math.floor(elapsedMs / tickMs) % frames.length), 'cyan'];
}
