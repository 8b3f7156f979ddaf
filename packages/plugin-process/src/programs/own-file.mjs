import { constants, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

// What the programs keep, as core does it (own-files.ts), which is too much to start for them: for its owner alone and never through a link.

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Puts a text in the place of a file, all of it or nothing.
 * @param {string} path
 * @param {string} text
 */
export function replaceFile(path, text) {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

/**
 * Opens a file to be written at its end. A link in its place is removed.
 * @param {string} path
 */
export function openAtEnd(path) {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  // Windows has no such links that anybody may make.
  return openSync(path, O_WRONLY | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o600);
}
