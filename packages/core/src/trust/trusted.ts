import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { ArgusError } from '../model/argus-error.js';
import { folderUntrusted } from '../model/core-error-codes.js';
import { type Doubt, doubtAbout } from './doubt-about.js';
import { isRecorded } from './records.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Where something lies that is to be used. */
export interface Place {
  readonly env: Env;
  /** The folder that would have to be trusted, when the file lies inside it; else it is that of the file. */
  readonly dir?: string;
}

/** The folders that `ARGUS_TRUST` names; `*` stands for all. */
export function trustedInEnv({ ARGUS_TRUST = '' }: Env): string[] {
  return ARGUS_TRUST.split(delimiter).filter((one) => one !== '');
}

/** Whether a person trusts a folder, or one above it, whoever owns it: by `argus trust` or in `ARGUS_TRUST`. */
export function isTrusted(folder: string, env: Env): boolean {
  return trustedBy(folder, env) !== undefined;
}

/** What it is by that a person trusts a folder. */
export function trustedBy(folder: string, env: Env): string | undefined {
  const listed = trustedInEnv(env);
  const places = aboveAndAt(real(folder));
  const named = listed.find((one) => one === '*' || places.includes(real(one)));
  if (named !== undefined) return `ARGUS_TRUST names ${named}`;
  const recorded = places.find((one) => isRecorded(one, 'trusted', env));
  return recorded === undefined ? undefined : `it lies in ${recorded}`;
}

/** Whether a person has agreed that the code of a folder is run: argus was typed there before, or the folder is trusted. */
export function isAgreedTo(folder: string, env: Env): boolean {
  return isRecorded(real(folder), 'typed', env) || isTrusted(folder, env);
}

/** Refuses what an agent wants to have run where no person has agreed to it. */
export function requireAgreement(folder: string, env: Env): void {
  if (isAgreedTo(folder, env)) return;
  throw new ArgusError(folderUntrusted, {
    message: `No person has run argus in ${folder} yet, so what is configured there is not run for an agent`,
    details: { folder, reason: 'unasked' },
  });
}

/** Refuses a file that another user owns or others may write, or a folder above it, unless the folder is trusted. */
export function requireTrusted(file: string, { env, dir }: Place): void {
  for (const path of hopsFrom(file)) {
    const doubt = doubtAbout(path);
    if (doubt === undefined || isTrusted(dirname(path), env)) continue;
    const isInside = dir !== undefined && aboveAndAt(path).includes(dir);
    throw untrusted(doubt, path, isInside ? dir : dirname(path));
  }
}

/** The same for code, which finds what it imports in the folders of packages above it as well. */
export function requireTrustedCode(file: string, place: Place): void {
  requireTrusted(file, place);
  for (const folder of aboveAndAt(dirname(real(file)))) {
    const packages = join(folder, 'node_modules');
    if (existsSync(packages)) requireTrusted(packages, place);
  }
}

function untrusted({ path, reason, owner, mode }: Doubt, file: string, folder: string): ArgusError {
  const why =
    reason === 'owner' ? `${path} belongs to another user (${owner})` : `others may write ${path} (${mode})`;
  return new ArgusError(folderUntrusted, {
    message: `${file} is not used: ${why}`,
    details: { folder, file, path, reason, owner, mode },
  });
}

/** A file and what its links lead to, one after the other: whoever owns one of them decides what is used. */
function hopsFrom(file: string, before: readonly string[] = []): readonly string[] {
  const path = join(real(dirname(file)), basename(file));
  if (before.includes(path)) return before;
  const hops = [...before, path];
  const target = linkAt(path);
  return target === undefined ? hops : hopsFrom(resolve(dirname(path), target), hops);
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It is no link, or not there.
    return undefined;
  }
}

function aboveAndAt(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...aboveAndAt(above)];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there; then it is what it is called.
    return resolve(path);
  }
}
