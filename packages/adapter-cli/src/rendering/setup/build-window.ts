import type { Line } from '../text/line.js';

/** How many lines of a build are seen while it goes on, and how many are left of one that failed. */
const sizes = { window: 6, tail: 50 };

/** What the build that goes on has printed last. */
export class BuildWindow {
  #service: string | undefined;
  #lines: string[] = [];
  #count = 0;

  /** The service that is built, if one is. */
  get service(): string | undefined {
    return this.#service;
  }

  /** Takes in a line of a build; a line of another one begins anew. */
  add(service: string, line: string): void {
    if (service !== this.#service) this.clear();
    this.#service = service;
    this.#count += 1;
    this.#lines.push(line);
    if (this.#lines.length > sizes.tail) this.#lines.shift();
  }

  /** The build has gone well, and nobody needs to know how. */
  clear(): void {
    this.#service = undefined;
    this.#lines = [];
    this.#count = 0;
  }

  /** The last few lines, in no more than so many. */
  window(room: number): Line[] {
    const size = Math.max(0, Math.min(sizes.window, room));
    return size === 0 ? [] : this.#lines.slice(-size).map(asLine);
  }

  /** What is left of a build that failed. */
  tail(): Line[] {
    if (this.#lines.length === 0) return [];
    const cut =
      this.#count > this.#lines.length ? `, the last ${this.#lines.length} of ${this.#count} lines` : '';
    return [[`the build of ${this.#service}${cut}:`], ...this.#lines.map(asLine)];
  }
}

function asLine(line: string): Line {
  return [['  | ', 'dim'], line];
}
