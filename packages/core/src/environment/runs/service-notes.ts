import type { StateStore } from '../../state/state-store.js';
import type { RunRecord, RunService } from './run-record.js';
import { changeRun } from './runs.js';

/**
 * Notes services in a run's record before they are started: whoever is killed then leaves the notes behind. What is
 * to be noted while a note is being written is written together, so that ten services cost two writes and not ten.
 */
export class ServiceNotes {
  readonly #store: StateStore;
  readonly #run: Pick<RunRecord, 'id'>;
  #waiting: Record<string, RunService> = {};
  #next: Promise<void> | undefined;
  #current: Promise<unknown> = Promise.resolve();

  constructor(store: StateStore, run: Pick<RunRecord, 'id'>) {
    this.#store = store;
    this.#run = run;
  }

  /** Resolves when the note is in the record. */
  add(service: string, note: RunService): Promise<void> {
    this.#waiting[service] = note;
    this.#next ??= this.#current.then(() => {
      const notes = this.#waiting;
      this.#waiting = {};
      this.#next = undefined;
      const writing = changeRun(this.#store, this.#run.id, (record) => ({
        ...record,
        services: { ...record.services, ...notes },
      }));
      // A failure is for those who asked; the next write begins afresh.
      this.#current = writing.catch(() => undefined);
      return writing;
    });
    return this.#next;
  }
}
