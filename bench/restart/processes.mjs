import { setTimeout as pause } from 'node:timers/promises';
import { contestant } from '../runner/contestant.mjs';
import { haveTools } from '../runner/debian.mjs';
import { guarded } from '../runner/guarded.mjs';
import { peersMissing } from '../runner/peers.mjs';
import { keptByPm2, keptBySupervisor, respawned } from './keepers.mjs';
import { listenForStarts } from './starts.mjs';

const PATIENCE_MS = 30_000;
const floor = 'a bare respawn';

/** A process under argus beside those under other programs that keep processes. */
export async function processTable(context) {
  const { dir, env, atEnd, signal, tell } = context;
  const { next, saying } = await listenForStarts(atEnd);

  /** Has a process kept, and gives what a death of it takes. */
  const kept = (name, keep, missing) => contestant(() => start(name, keep), { signal, missing });

  async function start(name, keep) {
    const first = next(name);
    await keep(saying(name));
    let { pid } = await Promise.race([first, late(name, signal)]);
    return {
      async run() {
        const returned = next(name);
        const begun = performance.now();
        process.kill(pid, 'SIGKILL');
        const { pid: successor, at } = await returned;
        pid = successor;
        return at - begun;
      },
      // It has to be known as well again before it may die again.
      after: () => pause(500, undefined, { signal }),
    };
  }

  const peersOut = peersMissing();
  const supervisorOut = await haveTools({ supervisord: 'supervisor' }, tell);
  const command = (text) => [process.execPath, '-e', text];
  return {
    title: 'A process, from its end to a word from the next',
    rounds: 15,
    patienceMs: PATIENCE_MS,
    floor,
    peers: ['pm2', 'supervisor'],
    contestants: {
      [floor]: await kept('respawn', (text) => respawned(text, context)),
      argus: await kept('argus', (text) =>
        guarded('processes', { api: { command: command(text) } }, { dir, env, atEnd }),
      ),
      pm2: await kept('pm2', (text) => keptByPm2(text, context), peersOut),
      supervisor: await kept('supervisor', (text) => keptBySupervisor(text, context), supervisorOut),
    },
    bars: [{ of: 'argus', to: floor, most: 1.5 }],
  };
}

async function late(name, signal) {
  await pause(PATIENCE_MS, undefined, { signal });
  throw new Error(`${name} did not start`);
}
