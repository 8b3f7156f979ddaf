import { findConfig } from '../config/find-config.js';
import { readTrusted } from '../config/read-config.js';
import type { StructuredError } from '../model/error-code.js';
import type { OpenOptions } from './open-argus.js';

/** What could be read of a configuration that cannot be used. */
export interface Written {
  readonly file: string | null;
  readonly text: string;
  /** Missing where its form is broken. */
  readonly data?: unknown;
}

/** Reads as much as can be read of the configuration that a problem is about. */
export async function readWhatCan(
  { cwd, file, env }: Pick<OpenOptions, 'cwd' | 'file' | 'env'>,
  { details }: StructuredError,
): Promise<Written> {
  try {
    const found = await findConfig({ cwd, file });
    if (!found) return { file: null, text: '', data: {} };
    try {
      return { ...found, data: (await readTrusted(found, env)).data };
    } catch {
      // That it cannot be read, or must not, is what is told beside everything.
      return found;
    }
  } catch {
    // It cannot even be opened; whoever said so knows which file it is.
    return { file: typeof details.file === 'string' ? details.file : null, text: '' };
  }
}

/** Where the secrets of a configuration are that cannot be used. */
export function secretsOf({ data, text }: Written): unknown {
  return data ?? wordsIn(text);
}

/** What may be secret in a text whose form is broken: everything that looks like a value with a name. */
function wordsIn(text: string): string[] {
  const pairs = text.matchAll(/([A-Za-z_]\w*)["']?\s*[:=]\s*["']?([^"'\s,}#]+)/g);
  return [...pairs].map(([, name, value]) => `${name}=${value}`);
}
