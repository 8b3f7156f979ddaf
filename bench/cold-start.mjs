/**
 * How long argus takes to start, beside Node itself. The bars: `argus --version` at most 1.3 times `node -e 0`, a check
 * of the quickstart at most 3.0 times, on a machine where nothing was ever stored as well as on one with a database that
 * has no failures to tell of. Exits with 1 when one is missed. Build first.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '@argusai/store-sqlite';
import { median } from './interleave.mjs';

const ROUNDS = 20;
const WARM_UPS = 3;

const root = fileURLToPath(new URL('..', import.meta.url));
const argus = join(root, 'packages', 'adapter-cli', 'dist', 'argus.js');
const quickstart = join(root, 'examples', 'quickstart');
const temporary = mkdtempSync(join(tmpdir(), 'argus-cold-start-'));
const newMachine = join(temporary, 'new');
const usedMachine = join(temporary, 'used');

const check = [argus, 'check', '--only', 'disk.space'];
const contestants = {
  'node -e 0': { args: ['-e', '0'] },
  'argus --version': { args: [argus, '--version'], bar: 1.3 },
  'argus check --only disk.space': { args: check, bar: 3 },
  'the same beside a database': { args: check, stateDir: usedMachine, bar: 3 },
};

/** A database such as an earlier run leaves, in which a failure came and went. */
async function makeDatabase() {
  const store = createSqliteStore({ dir: usedMachine });
  await store.put('runs', 'one', { state: 'up' });
  await store.put('failures', 'quickstart', { 'disk.space': 1 });
  await store.delete('failures', 'quickstart');
  await store.close();
}

function timeOf({ args, stateDir = newMachine }) {
  // A setting that makes every start of Node slower, whatever is started.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = { ...process.env, ARGUS_STATE_DIR: stateDir };
  const begun = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: quickstart, env, encoding: 'utf8' });
  const taken = Number(process.hrtime.bigint() - begun) / 1e6;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return taken;
}

try {
  await makeDatabase();
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const taken = timeOf(contestant);
      if (round >= 0) times[name].push(taken);
    }
  }
  const base = median(times['node -e 0']);
  console.log(`Start to end, median of ${ROUNDS}, taken in turn`);
  for (const [name, { bar }] of Object.entries(contestants)) {
    const ms = median(times[name]);
    const ratio = ms / base;
    const verdict = bar === undefined ? '' : `, bar ${bar.toFixed(1)}: ${ratio <= bar ? 'holds' : 'misses'}`;
    console.log(`  ${name.padEnd(30)} ${ms.toFixed(1).padStart(6)} ms  ${ratio.toFixed(2)} × node${verdict}`);
    if (bar !== undefined && ratio > bar) process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
