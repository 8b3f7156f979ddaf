import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LIMIT_MS = 120_000;
const program = fileURLToPath(new URL('../packages/adapter-cli/dist/argus.js', import.meta.url));
const execute = promisify(execFile);
/** It takes five seconds to end after SIGTERM. */
const slow = ['sh', '-c', "trap 'sleep 5; exit 0' TERM; sleep 1000 & wait"];

/** So many of the same, each of which depends on the one before it. */
function chain(count, service) {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  return Object.fromEntries(
    names.map((name, index) => [name, { ...service, dependsOn: names.slice(index - 1, index) }]),
  );
}

/** Brings services up, measures until they are gone, and sees to it that none had to be killed. */
function takingDown(name, services, { env, dir, atEnd }) {
  const cwd = join(dir, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify({ project: { name }, services }));
  const call = async (...args) => {
    const words = [program, ...args, '--format', 'json'];
    const { stdout } = await execute(process.execPath, words, { env, cwd, timeout: LIMIT_MS });
    return JSON.parse(stdout).data;
  };
  atEnd(() => call('clean'));
  return {
    before: () => call('setup'),
    run: () => call('clean'),
    after({ removed, failed, killed = [] }) {
      const gone = removed.filter(({ service }) => service !== undefined).length;
      if (gone === Object.keys(services).length && failed.length + killed.length === 0) return;
      throw new Error(`Not all ended by themselves: ${JSON.stringify({ gone, failed, killed })}`);
    },
  };
}

function tableOf(kind, service, context, missing) {
  const [one, many] = [`one ${kind}`, `25 ${kind === 'process' ? 'processes' : 'containers'}`];
  const of = (count) =>
    missing ? { missing } : takingDown(`down-${kind}-${count}`, chain(count, service), context);
  return {
    title: `${many} that depend on each other, beside one`,
    rounds: 3,
    floor: one,
    contestants: { [one]: of(1), [many]: of(25) },
    bars: [{ of: many, to: one, most: 1.5 }],
  };
}

/** How long it takes until an environment is gone. */
export default {
  title: 'Taking down',
  about:
    'The whole of `argus clean`, with the start of the program. Each service takes five seconds to end after SIGTERM, and depends on the one before it; none is killed.',
  needsEngine: true,
  async prepare(context) {
    const { image, busybox = [], missing } = context.engine;
    return {
      tables: [
        tableOf('process', { command: slow }, context),
        tableOf('container', { image, command: [...busybox, ...slow] }, context, missing),
      ],
    };
  },
};
