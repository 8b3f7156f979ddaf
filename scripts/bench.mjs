import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../bench/runner/machine.mjs';
import { installPeers } from '../bench/runner/peers.mjs';
import { failedSection, readSections, writeSections } from '../bench/runner/results.mjs';
import { showFailure } from './steps/failure.mjs';
import { prepare } from './steps/prepare.mjs';
import { runBenchmark } from './steps/run-benchmark.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

const folder = join(workspaceRoot, 'bench');
const file = join(folder, 'results.md');

/** In the order of the results. */
const benchmarks = [
  ...['check-overhead', 'circuits', 'ports', 'http-targets', 'cold-start', 'mcp-start'],
  ...['repairs', 'orphans', 'setup', 'restart', 'guarding', 'taking-down'],
];

/** The numbers of a trial mean nothing, so they replace no others. */
const isTrial = process.env.ARGUS_BENCH_ROUNDS !== undefined;

/**
 * Writes down the section of a benchmark, given the one that is there.
 * @param {string} name
 * @param {(before: string | undefined) => string} make
 */
function note(name, make) {
  if (isTrial) return;
  const sections = readSections(existsSync(file) ? readFileSync(file, 'utf8') : '');
  sections.set(name, make(sections.get(name)));
  writeFileSync(file, writeSections(sections, benchmarks));
}

/** @param {string[]} names The benchmarks to run; without any, all of them. */
async function bench(names) {
  const unknown = names.filter((name) => !benchmarks.includes(name));
  if (unknown.length > 0) {
    say(`There is no benchmark ${unknown.join(', ')}. There are: ${benchmarks.join(', ')}`);
    return 2;
  }
  const failures = await prepare(workspaceRoot);
  failures.forEach(showFailure);
  if (failures.length > 0) return 1;
  await installPeers(say);

  /** @type {string[]} */
  const verdicts = [];
  /** @type {string[]} */
  const failed = [];
  for (const name of names.length > 0 ? names : benchmarks) {
    const machine = describeMachine(process.env, false);
    const result = await runBenchmark(folder, name);
    if ('code' in result) {
      // Whoever stopped it does not want the next one either.
      if (result.wasStopped) return result.code;
      const { reason } = result;
      verdicts.push('misses');
      failed.push(`${name} failed: ${reason}`);
      note(name, (before) => failedSection(name, { reason, machine, before }));
      continue;
    }
    note(name, () => result.text);
    console.log(`${result.text}\n`);
    verdicts.push(...result.verdicts);
  }
  const count = (/** @type {string} */ wanted) => verdicts.filter((verdict) => verdict === wanted).length;
  failed.forEach(say);
  say(
    `${count('holds')} bars hold, ${count('misses')} missed, ${count('unknown')} unknown${isTrial ? '' : ' (bench/results.md)'}`,
  );
  if (count('misses') > 0) return 1;
  return count('unknown') > 0 ? 3 : 0;
}

try {
  process.exitCode = await bench(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
