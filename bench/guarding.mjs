import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { contestant } from './runner/contestant.mjs';

const LIMIT_MS = 60_000;
const SECONDS = 20;
/** What Linux counts processor time in, whatever the machine. */
const MS_A_TICK = 10;
const program = fileURLToPath(new URL('../packages/adapter-cli/dist/argus.js', import.meta.url));
const service = { command: ['sleep', '100000'], healthcheck: { command: ['true'], interval: '5s' } };

/** Brings up so many services and their guardian. Gives the processes that argus has left running for them. */
async function guarding(count, { dir, env, atEnd }) {
  const name = `guarding-${count}`;
  const cwd = join(dir, name);
  const services = Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, service]));
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify({ project: { name }, services }));
  const argus = async (...args) => {
    const words = [program, ...args, '--format', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env, cwd, timeout: LIMIT_MS });
    return JSON.parse(stdout).data;
  };
  atEnd(() => argus('clean'));
  const { guardian, runId } = await argus('setup', '--guard');
  if (!guardian?.guarding) throw new Error('Nobody guards');
  const folder = join(env.ARGUS_STATE_DIR, 'processes', runId);
  const states = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => JSON.parse(readFileSync(join(folder, entry.name, 'state.json'), 'utf8')));
  return { guardian: guardian.pid, keepers: [...new Set(states.map(({ keeper }) => keeper.pid))] };
}

/** The processor time of a process and of all that it has started and seen end, in milliseconds. */
function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks) * MS_A_TICK, 0);
}

function megabytes(pid) {
  const [, kilobytes] = /^Rss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function watching(count, context) {
  const { guardian, keepers } = await guarding(count, context);
  const used = () => [guardian, ...keepers].reduce((sum, pid) => sum + processorTime(pid), 0);
  return {
    keepers,
    async run() {
      const before = used();
      await pause(SECONDS * 1_000, undefined, { signal: context.signal });
      return used() - before;
    },
  };
}

/** What it costs that services are kept and guarded while nothing happens. */
export default {
  title: 'Guarding',
  about:
    'Processes whose health is a command, asked every five seconds, are guarded, and all are well. What is counted is the processor time of the guardian, of the health checks that it starts (`true`), and of whoever keeps the processes; 50 ms a second are 5 % of a core. Then the memory of those who keep them.',
  async prepare(context) {
    const { signal } = context;
    const missing = process.platform === 'linux' ? undefined : 'only Linux tells';
    const [one, twenty] = ['1 service', '20 services'];
    const of = (count) => contestant(() => watching(count, context), { signal, missing });
    const [few, many] = [await of(1), await of(20)];
    const memoryOf = ({ missing: why, keepers = [] }) =>
      why === undefined ? () => keepers.reduce((sum, pid) => sum + megabytes(pid), 0) : { missing: why };
    return {
      tables: [
        {
          title: 'A second of guarding, processor time',
          rounds: 3,
          warmUps: 1,
          per: SECONDS,
          contestants: { [one]: few, [twenty]: many },
          bars: [{ of: twenty, slowest: 50 }],
        },
        {
          title: 'Memory of those who keep the processes',
          unit: 'MB',
          rounds: 3,
          floor: one,
          contestants: { [one]: memoryOf(few), [twenty]: memoryOf(many) },
          bars: [{ of: twenty, to: one, most: 1.5 }],
        },
      ],
    };
  },
};
