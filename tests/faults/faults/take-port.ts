import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Fault } from '../scenario.js';
import type { World } from '../world/world.js';

const holder = fileURLToPath(new URL('../fixtures/hold-port.mjs', import.meta.url));

/** Another program takes the first port of the world. */
export const takePort: Fault = { name: 'takes a port', break: (world) => take(world.port) };

/** The same, in the moment in which a setup has found the port free and not yet used it; the setup goes on then. */
export const takePortInTime: Fault = {
  name: 'takes a port between the look and the start',
  async break(world) {
    const file = join(world.dir, 'resolved');
    const call = world.begin(['setup'], { TELL_AT: file });
    while (!existsSync(file)) {
      if (call.isOver()) throw new Error('the setup ended before it had resolved the ports');
      await sleep(10);
    }
    await take(world.port);
    await world.remove('resolved');
    await world.finish(call, ['setup']);
  },
};

/** Whether the other program still has the port. */
export async function isHeld({ port }: World): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [first] = await once(socket, 'data');
    return String(first) === 'somebody else\n';
  } finally {
    socket.destroy();
  }
}

async function take(port: number): Promise<void> {
  const child = spawn(process.execPath, [holder, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}
