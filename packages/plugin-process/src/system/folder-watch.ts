import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import { type Clock, whenAborted } from '@argusai/core';

/**
 * Tells that something may have changed in some folders: as soon as the system says so, and at regular intervals
 * whatever it says, because not every filesystem tells.
 */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #changed = false;
  #wake: () => void = () => undefined;

  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Watches these folders from now on, as far as they exist, and no others; tells whether one was added. */
  follow(folders: Iterable<string>): boolean {
    const wanted = new Set(folders);
    for (const [folder, watcher] of this.#watchers) {
      if (!wanted.has(folder)) this.#drop(folder, watcher);
    }
    const added = [...wanted].filter((folder) => !this.#watchers.has(folder) && this.#add(folder));
    return added.length > 0;
  }

  /** Resolves at the next change, which may have been since it was last asked, or when the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    if (!this.#changed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(this.#intervalMs, () => this.#wake());
        this.#wake = () => {
          cancel();
          release();
          this.#wake = () => undefined;
          resolve();
        };
        const release = whenAborted(signal, () => this.#wake());
      });
    }
    this.#changed = false;
  }

  /** Stops watching. */
  close(): void {
    for (const [folder, watcher] of this.#watchers) this.#drop(folder, watcher);
    this.#wake();
  }

  #add(folder: string): boolean {
    try {
      const watcher = watch(folder, (_event, name) => {
        // The folder itself was moved or removed. Another may come in its place, which must be watched afresh.
        if (name === basename(folder)) this.#drop(folder, watcher);
        this.#note();
      });
      watcher.on('error', () => this.#drop(folder, watcher));
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      // It is not there, or the system has no watches left: the interval does the work.
      return false;
    }
  }

  #drop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
  }

  #note(): void {
    this.#changed = true;
    this.#wake();
  }
}
