import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  consentRecords,
  forgetConsent,
  printable,
  recordConsent,
  trustedBy,
  trustedInEnv,
} from '@argusai/core';
import type { SplitArguments } from '../command-line/global-options.js';
import { parseInput } from '../command-line/parse-input.js';
import { usageError } from '../command-line/usage-error.js';
import type { Io } from '../io.js';
import { answer, type Outcome } from '../outcome.js';
import { trustFields } from './trust-help.js';

const own = { command: 'trust' };

/** Answers `argus trust`. It is for people at a terminal and no operation, so no agent is ever given it as a tool. */
export function trust({ rest, options }: SplitArguments, io: Io): Outcome {
  const { folder, list, revoke } = parseInput('trust', trustFields, rest);
  if (list === true) {
    if (folder !== undefined || revoke === true)
      throw usageError('--list shows all, and takes nothing else', own);
    return listed(io);
  }
  // As a variable gives it that is not set.
  if (folder === '') throw usageError('No folder is named', own);
  const named = resolve(io.cwd, options.project ?? '.', String(folder ?? '.'));
  return revoke === true ? revoked(named, io) : trusted(named, io);
}

function trusted(named: string, { env }: Io): Outcome {
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`There is no folder ${named}`, own);
  const folder = realpathSync(named);
  const isNew = recordConsent(folder, 'trusted', env);
  const text = isNew ? `trusted: ${folder} and all that lies in it` : `${folder} is trusted already`;
  return answer(`${printable(text)}\n`, { folder, trusted: true, changed: isNew });
}

/** A folder that is gone is known by its name alone. */
function revoked(named: string, { env }: Io): Outcome {
  const folder = statSync(named, { throwIfNoEntry: false }) ? realpathSync(named) : named;
  const changed = forgetConsent(folder, env);
  const by = trustedBy(folder, env);
  const what = changed
    ? `no longer agreed to: ${folder}`
    : `Nothing was agreed to for ${folder}; argus trust --list shows what was`;
  const still = by === undefined ? '' : `. It is still trusted: ${by}`;
  return answer(`${printable(what + still)}\n`, { folder, trusted: by !== undefined, changed });
}

function listed({ env }: Io): Outcome {
  const named = trustedInEnv(env);
  const records = consentRecords(env);
  const lines = [
    ...named.map((folder) => `ARGUS_TRUST  ${folder}`),
    ...records.map(({ folder, consent, since }) => {
      const day = new Date(since).toISOString().slice(0, 10);
      return consent === 'trusted'
        ? `trusted      ${folder}  since ${day}`
        : `was run in   ${folder}  since ${day}`;
    }),
  ].map(printable);
  const text = lines.length === 0 ? 'Nothing was agreed to yet' : lines.join('\n');
  return answer(`${text}\n`, { folders: records, environment: named });
}
