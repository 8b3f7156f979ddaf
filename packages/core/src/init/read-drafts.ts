import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { otherEncoding } from '../config/other-encoding.js';
import { reasonOf } from '../config/reason.js';
import type { Draft, Source } from './draft.js';
import { composeFiles, fromCompose } from './from-compose.js';
import { fromDockerfile } from './from-dockerfile.js';
import { e2eFiles, fromE2e } from './from-e2e.js';
import { fromPackageJson } from './from-package-json.js';
import { packageRunner } from './package-runner.js';

/** What each thing in the folder says, the one that knows most first. Beside a configuration of before nothing else counts. */
export async function readDrafts(dir: string, manifest: unknown): Promise<Draft[]> {
  const e2e = e2eFiles.find((name) => existsSync(join(dir, name)));
  if (e2e === undefined) return draftsOf(dir, manifest);
  const former = await draftOf(dir, { kind: 'e2e', file: e2e }, (text) => fromE2e(e2e, text));
  const hasWork = former.services.length + former.suites.length > 0;
  return hasWork ? [former] : [former, ...(await draftsOf(dir, manifest))];
}

async function draftsOf(dir: string, manifest: unknown): Promise<Draft[]> {
  const compose = composeFiles.find((name) => existsSync(join(dir, name)));
  const drafts = await Promise.all([
    compose === undefined
      ? []
      : draftOf(dir, { kind: 'compose', file: compose }, (text) => fromCompose(compose, text)),
    existsSync(join(dir, 'Dockerfile'))
      ? draftOf(dir, { kind: 'dockerfile', file: 'Dockerfile' }, async (text) => fromDockerfile(text))
      : [],
    manifest === undefined ? [] : fromPackageJson(manifest, packageRunner(dir, manifest)),
  ]);
  return drafts.flat();
}

/** One that cannot be read says nothing but that. */
async function draftOf(dir: string, source: Source, read: (text: string) => Promise<Draft>): Promise<Draft> {
  try {
    const text = readFileSync(join(dir, source.file), 'utf8');
    const other = otherEncoding(text);
    if (other) throw new Error(`it ${other.message}`);
    return await read(text);
  } catch (error) {
    const reason = reasonOf(error).replace(/^(?:YAML\w*|Argus)Error: /, '');
    const notes = [`${source.file} was passed over: ${reason}`];
    return { source, services: [], suites: [], notes, isUnread: true };
  }
}
