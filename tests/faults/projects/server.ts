import { fileURLToPath } from 'node:url';
import type { World } from '../world/world.js';

const program = fileURLToPath(new URL('../fixtures/service.mjs', import.meta.url));
const plugin = fileURLToPath(new URL('../fixtures/plugin.mjs', import.meta.url));

/** A service of a project that is a process: it says who it is, and does as the signs in the folder say. */
export function server(world: World, offset = 0, rest: Readonly<Record<string, unknown>> = {}) {
  const port = world.port + offset;
  return {
    command: [process.execPath, program],
    ports: [`${port}:${port}`],
    environment: { SIGNS: world.dir },
    healthcheck: { http: '/health', interval: '50ms', timeout: '2s', retries: 3, startPeriod: '60s' },
    ...rest,
  };
}

/** What a server says of itself. */
export async function ask(port: number): Promise<{ pid: number; env: Record<string, string> }> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) });
  return (await response.json()) as never;
}

/** The plugins that come along, and one that has a setup stop where it is told to. */
export const pluginsAndHolder = [
  ...['docker', 'process', 'disk', 'ports', 'network', 'orphans'].map((name) => `@argusai/plugin-${name}`),
  plugin,
];
