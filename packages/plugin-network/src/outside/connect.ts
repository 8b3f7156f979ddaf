import { inTime, type TimeFrame } from './in-time.js';

/** Makes a connection and gives it up again. Throws what stood in the way; gives how long it took, in milliseconds. */
export async function connect(
  { host, port }: { readonly host: string; readonly port: number },
  limitMs: number,
  frame: TimeFrame,
): Promise<{ latencyMs: number }> {
  const net = await import('node:net');
  return inTime(
    frame,
    limitMs,
    (signal) =>
      new Promise<{ latencyMs: number }>((resolve, reject) => {
        signal.throwIfAborted();
        // From the socket to the socket: what this process does before and after is not the other side's.
        const begun = frame.clock.monotonic();
        const socket = net.connect({ host, port, signal });
        socket.once('connect', () => {
          const latencyMs = frame.clock.monotonic() - begun;
          socket.destroy();
          resolve({ latencyMs });
        });
        socket.once('error', reject);
      }),
  );
}
