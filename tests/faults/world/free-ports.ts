import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Each of the processes that run tests has ports of its own to choose from, apart from those of other tests and below those that
// the system gives to connections, so that nobody comes upon them by chance.
const firstPort = 31_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * 200;

/** So many ports in a row that are free; gives the first. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(firstPort, firstPort + 200 - count);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once('error', () => resolve(false));
    trial.listen(port, () => trial.close(() => resolve(true)));
  });
}
