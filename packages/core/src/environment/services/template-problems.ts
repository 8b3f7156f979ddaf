import { ArgusError } from '../../model/argus-error.js';
import { configInvalid } from '../../model/core-error-codes.js';

/** What could not be filled in, collected so that all of it is told at once. */
export class TemplateProblems {
  readonly #problems: { readonly path: string; readonly message: string; readonly value: string }[] = [];

  /** Notes what is wrong with a text, or with a placeholder in it. */
  add(path: string, value: string, message: string): void {
    this.#problems.push({ path, message, value });
  }

  /** Throws when there is any. */
  refuse(): void {
    const problems = this.#problems;
    if (problems.length === 0) return;
    throw new ArgusError(configInvalid, {
      message: problems.map(({ path, message }) => `${path}: ${message}`).join('; '),
      details: { file: null, problems: [...problems] },
    });
  }
}
