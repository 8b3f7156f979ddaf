// Runs one benchmark, named on the command line, and gives its section, or why there is none: to the program that started
// this one, or to standard output. Whatever ends it, it first takes away what it made.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLine } from './first-line.mjs';
import { describeMachine } from './machine.mjs';
import { measure } from './measure.mjs';
import { openEngine } from './private-engine.mjs';
import { section } from './section.mjs';
import { withinTime } from './within-time.mjs';

const CLEAN_UP_MS = 60_000;
const [name = ''] = process.argv.slice(2);
const tell = (line) => process.stderr.write(`  ${name}: ${line}\n`);

// To see that everything works, without numbers that mean something.
const rounds = Number(process.env.ARGUS_BENCH_ROUNDS);
const fewerRounds = rounds > 0 ? { rounds, warmUps: 0 } : {};

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => stopped.abort(new Error(`ended by ${signal}`)));
}
process.on('disconnect', () => stopped.abort(new Error('nobody is left to tell')));

const cleanUps = [];
/** What could not be taken away, said in the results. */
const left = [];
const dir = mkdtempSync(join(tmpdir(), `argus-bench-${name}-`));
const context = {
  dir,
  env: environment(),
  signal: stopped.signal,
  tell,
  /** Has something done at the end, whatever the end is; the last first. */
  atEnd: (work) => cleanUps.push(work),
};

/** Every start of Node is slower with this setting, whoever starts, and it hides the differences. */
function environment() {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return { ...env, ARGUS_STATE_DIR: join(dir, 'state') };
}

async function takeAway() {
  for (const work of cleanUps.toReversed()) {
    try {
      await withinTime(async () => work(), { patienceMs: CLEAN_UP_MS });
    } catch (error) {
      left.push(`Could not clean up: ${firstLine(error)}.`);
      tell(`could not clean up: ${error.message}`);
    }
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function find() {
  const benchmark = (await import(`../${name}.mjs`)).default;
  let engine;
  if (benchmark.needsEngine) {
    engine = await openEngine(context.env, tell);
    if (engine.end) context.atEnd(engine.end);
  }
  stopped.signal.throwIfAborted();
  const machine = describeMachine(context.env, engine?.image !== undefined);
  const { tables, notes = [] } = await benchmark.prepare({ ...context, engine });
  const measured = [];
  for (const table of tables) {
    const whole = { bars: [], unit: 'ms', ...table, ...fewerRounds };
    measured.push({ ...whole, rows: await measure(whole, context) });
  }
  const { title, about } = benchmark;
  return { title, about, machine, notes, tables: measured };
}

/** What was measured counts, also when something of it is left behind; but that is not as it should be. */
function sectionOf(measured) {
  const { text, verdicts } = section({ ...measured, notes: [...measured.notes, ...left] });
  return { text, verdicts: [...verdicts, ...left.map(() => 'misses')] };
}

let found;
let failed;
try {
  found = await find();
} catch (error) {
  failed = firstLine(error);
  tell(stopped.signal.aborted ? error.message : error.stack);
  process.exitCode = stopped.signal.aborted ? 130 : 1;
} finally {
  await takeAway();
}
const said = found ? sectionOf(found) : { failed };
// Who asked for it may be gone.
if (process.connected) await new Promise((resolve) => process.send(said, resolve));
else if (found) process.stdout.write(`${said.text}\n`);
// A contestant that was given up may keep something open.
process.exit();
