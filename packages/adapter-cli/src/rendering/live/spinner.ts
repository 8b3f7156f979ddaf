const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/** How long each picture of it stays, in milliseconds. */
export const spinnerMs = 100;

/** What turns in front of something that goes on, as it is at a moment. All that turn do so together. */
export function spinnerAt(milliseconds: number): string {
  return frames[Math.floor(milliseconds / spinnerMs) % frames.length] ?? frames[0];
}
