import { closeSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  collectSecrets,
  createRedactor,
  type Kernel,
  makeOwnFolder,
  openFresh,
  type StructuredError,
  stateDir,
} from '@argusai/core';
import type { Io } from './io.js';
import type { Outcome } from './outcome.js';
import { stacksOf } from './stacks-of.js';

/** How many reports are kept; older ones are removed when another is written. */
const keptReports = 20;
const reportName = /^crash-[\dTZ]+-\d+\.txt$/;

/** What a report needs to know of the world. */
export type CrashScene = Pick<Io, 'env' | 'secrets' | 'cwd' | 'version'>;

/** Writes a report when the program or a plugin has crashed, and says in the outcome where it is. */
export function withCrashReport(outcome: Outcome, argv: readonly string[], scene: CrashScene): Outcome {
  const { envelope, notice, call, thrown } = outcome;
  const report = (error: StructuredError): StructuredError => {
    const where = writeReport({ error, thrown, argv, ...(call ? { kernel: call.kernel } : {}) }, scene);
    return { ...error, details: { ...error.details, ...where } };
  };
  if (!envelope.ok && isCrash(envelope.error)) {
    return { ...outcome, envelope: { ...envelope, error: report(envelope.error) } };
  }
  return notice && isCrash(notice) ? { ...outcome, notice: report(notice) } : outcome;
}

function isCrash({ code }: StructuredError): boolean {
  return code === 'INTERNAL_ERROR';
}

interface Crash {
  readonly error: StructuredError;
  readonly thrown: unknown;
  readonly argv: readonly string[];
  readonly kernel?: Kernel;
}

function writeReport(crash: Crash, scene: CrashScene): { report: string } | { noReport: string } {
  const { config = { state: {} }, project = { name: '', dir: scene.cwd } } = crash.kernel ?? {};
  try {
    const state = stateDir(config, project, scene.env);
    const folder = join(state, 'reports');
    const time = new Date(crash.error.timestamp).toISOString();
    const report = join(folder, `crash-${time.replace(/[-:]|\.\d+/g, '')}-${process.pid}.txt`);
    for (const place of [state, folder]) makeOwnFolder(place);
    const file = openFresh(report);
    try {
      writeFileSync(file, textOf(crash, scene, time));
    } finally {
      closeSync(file);
    }
    const all = readdirSync(folder).filter((name) => reportName.test(name));
    for (const old of all.sort().slice(0, -keptReports)) rmSync(join(folder, old), { force: true });
    return { report };
  } catch (error) {
    // The crash itself is still told; it only cannot be looked up afterwards.
    return { noReport: (error as Error).message };
  }
}

/** Everything that helps to find the defect, without the secrets of the environment and the configuration. */
function textOf(
  { error, thrown, argv, kernel }: Crash,
  { env, secrets, cwd, version }: CrashScene,
  time: string,
): string {
  const redactor = createRedactor({ secrets: [...collectSecrets(env), ...secrets] });
  const plugins = kernel?.plugins.map(({ plugin, source }) => `${plugin.name} (${source})`) ?? [];
  const lines = [
    'argus crash report',
    `time: ${time}`,
    `argus: ${version}`,
    `node: ${process.version} ${process.platform} ${process.arch}`,
    // Here it shows which argument follows a flag whose name is that of a secret.
    `command: ${['argus', ...redactor.redact([...argv])].join(' ')}`,
    `folder: ${cwd}`,
    `plugins: ${plugins.length === 0 ? 'none were loaded' : plugins.join(', ')}`,
    `code: ${error.code}`,
    `message: ${error.message}`,
    `details: ${JSON.stringify(error.details)}`,
    '',
    ...stacksOf(thrown),
  ];
  return `${redactor.text(lines.join('\n')).trimEnd()}\n`;
}
