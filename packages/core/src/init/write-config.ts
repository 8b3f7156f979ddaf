import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { ArgusError, isArgusError } from '../model/argus-error.js';
import { configExists, configUnwritable } from '../model/core-error-codes.js';

/** A file and what is to be in it; without a text it is left as it is. */
interface NewFile {
  readonly file: string;
  readonly text: string | undefined;
}

/**
 * Writes the configuration, never over another one, and the schema beside it. Whoever reads sees all of a file or none, and
 * when one of them cannot be written, neither is.
 */
export function writeConfig({ file, text = '' }: NewFile, schema: NewFile): void {
  const unfinished = [file, schema.file].map((path) => `${path}.${randomUUID()}`);
  const [newConfig = '', newSchema = ''] = unfinished;
  let made: string | undefined;
  let isPlaced = false;
  try {
    // First of all, so that a folder that cannot be written is left as it is.
    writeFileSync(newConfig, text, { flag: 'wx' });
    if (schema.text !== undefined) refuseLink(dirname(schema.file));
    made = schema.text === undefined ? undefined : mkdirSync(dirname(schema.file), { recursive: true });
    if (schema.text !== undefined) writeFileSync(newSchema, schema.text, { flag: 'wx' });
    placeNew(newConfig, file);
    isPlaced = true;
    if (schema.text !== undefined) renameSync(newSchema, schema.file);
  } catch (error) {
    if (isPlaced) rmSync(file);
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw isArgusError(error) ? error : unwritable(file, error);
  } finally {
    for (const path of unfinished.filter((one) => existsSync(one))) rmSync(path);
  }
}

/** A project can bring one along that leads anywhere. */
function refuseLink(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw unwritable(folder, 'it is a link');
}

/** Gives a file its name, unless another one has it. */
function placeNew(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(basename(file), error);
    // Not every file system has links.
    copyFileSync(unfinished, file, constants.COPYFILE_EXCL);
  }
}

/** The error of a folder that has a configuration already. */
export function alreadyThere(existing: string, cause?: unknown): ArgusError {
  const what = existing === 'package.json' ? 'package.json has a property "argus"' : `there is ${existing}`;
  return new ArgusError(configExists, {
    message: `This folder has a configuration already: ${what}. Nothing was written`,
    details: { file: existing },
    ...(cause === undefined ? {} : { cause }),
  });
}

function unwritable(file: string, error: unknown): ArgusError {
  const reason = codeOf(error);
  return new ArgusError(configUnwritable, {
    message: `${basename(file)} could not be written into ${dirname(file)}: ${reason}`,
    details: { file, reason },
    cause: error,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
