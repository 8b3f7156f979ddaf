import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/**
 * The machine and the day, in words. The load tells whether it had something else to do when the benchmark began.
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} hasEngine
 */
export function describeMachine(env, hasEngine) {
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const engine = hasEngine ? [`Docker engine ${engineVersion(env)}`] : [];
  const parts = [
    `on ${cores}`,
    memory,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
  ];
  const load = `load ${loadavg()[0]?.toFixed(1)} at the beginning`;
  return `${new Date().toISOString().slice(0, 10)} ${[...parts, ...engine, load].join(', ')}`;
}

/** @param {NodeJS.ProcessEnv} env */
function engineVersion(env) {
  const args = ['version', '--format', '{{.Server.Version}}'];
  return execFileSync('docker', args, { env, encoding: 'utf8', timeout: 10_000 }).trim();
}
