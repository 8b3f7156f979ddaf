import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { contestant } from '../runner/contestant.mjs';
import { guarded } from '../runner/guarded.mjs';

const LIMIT_MS = 30_000;
const policy = "Docker's own policy";

/** Ends when a file appears, and takes it away first. */
const waiting = (busybox) =>
  `while true; do if ${busybox} test -e /die; then ${busybox} rm /die; exit 1; fi; ${busybox} usleep 5000; done`;

/** Lets a container die, and waits for its return. The engine says how long it was gone. */
async function diesAndReturns(name, { docker, busybox, signal }) {
  const format = '{{.State.Running}} {{.State.StartedAt}} {{.State.FinishedAt}}';
  const look = async () => (await docker('inspect', '--format', format, name)).split(' ');
  const [, before] = await look();
  // It may be gone before it could say that it was done.
  await docker('exec', name, ...busybox, 'touch', '/die').catch(() => undefined);
  for (const giveUpAt = performance.now() + LIMIT_MS; performance.now() < giveUpAt; ) {
    const [running, started, finished] = await look();
    if (running === 'true' && started !== before) return Date.parse(started) - Date.parse(finished);
    // The engine says when it was, so whoever asks need not be quick, and had better not keep the processors busy.
    await pause(250, undefined, { signal });
  }
  throw new Error(`${name} did not come back`);
}

async function contestants({ engine, env, dir, atEnd, signal }) {
  const { image, busybox } = engine;
  const docker = async (...args) =>
    (await promisify(execFile)('docker', args, { env, timeout: LIMIT_MS })).stdout.trim();
  const command = [...busybox, 'sh', '-c', waiting(busybox.join(' '))];
  // As a service of an environment has it.
  const network = await docker('network', 'create', 'argus-bench-restart');
  atEnd(() => docker('network', 'rm', network));
  const dying = (id) => diesAndReturns(id, { docker, busybox, signal });
  const options = ['--detach', '--restart', 'on-failure', '--network', network];
  return {
    // A new one each time: its first death is the one that Docker answers soonest.
    [policy]: {
      before: () => docker('run', ...options, image, ...command),
      async run(_, id) {
        try {
          return await dying(id);
        } finally {
          await docker('rm', '--force', id);
        }
      },
    },
    argus: await contestant(
      async () => {
        const runId = await guarded('containers', { api: { image, command } }, { dir, env, atEnd });
        const ours = await docker('ps', '--quiet', '--filter', `label=argusai.run-id=${runId}`);
        return {
          // It has to be known as well again before it may die again.
          before: () => pause(1_000, undefined, { signal }),
          run: () => dying(ours),
        };
      },
      { signal },
    ),
  };
}

/** A container under argus beside one under Docker's own policy. */
export async function containerTable(context) {
  const { missing } = context.engine;
  return {
    title: 'A container, from its end to the next start',
    rounds: 11,
    warmUps: 1,
    floor: policy,
    contestants: missing ? { [policy]: { missing }, argus: { missing } } : await contestants(context),
    bars: [{ of: 'argus', to: policy, most: 1 }],
  };
}
