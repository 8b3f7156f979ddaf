import { inTime, type TimeFrame } from './in-time.js';

/** Makes a connection and gives it up again. Throws what stood in the way; gives how long it took, in milliseconds. */
export async function connect(
  { host, port }: { readonly host: string; readonly port: number },
  limitMs: number,
  frame: TimeFrame,
): Promise<number> {
  const net = await import('node:net');
  const begun = frame.clock.monotonic();
  await inTime(
    frame,
    limitMs,
    (signal) =>
      new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const socket = net.connect({ host, port, signal });
        socket.once('connect', () => {
          socket.destroy();
          resolve();
        });
        socket.once('error', reject);
      }),
  );
  return frame.clock.monotonic() - begun;
}
