import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onPath } from '../runner/debian.mjs';
import { peerFile } from '../runner/peers.mjs';

const LIMIT_MS = 30_000;
const respawner = fileURLToPath(new URL('../programs/respawner.mjs', import.meta.url));

/** Has a program, given as text, started again by its parent. */
export async function respawned(text, { env, atEnd }) {
  const parent = fork(respawner, [text], { env });
  const gone = once(parent, 'exit');
  atEnd(() => {
    if (parent.connected) parent.disconnect();
    return gone;
  });
}

/** Has a program kept by pm2, whose daemon is one of its own. */
export async function keptByPm2(text, { env, dir, atEnd }) {
  const home = join(dir, 'pm2');
  const script = join(dir, 'kept-by-pm2.cjs');
  mkdirSync(home);
  writeFileSync(script, text);
  const options = { env: { ...env, PM2_HOME: home, PM2_DISCRETE_MODE: 'true' }, timeout: LIMIT_MS, cwd: dir };
  const pm2 = (...args) => promisify(execFile)(process.execPath, [peerFile('pm2/bin/pm2'), ...args], options);
  atEnd(() => pm2('kill'));
  await pm2('start', script, '--name', 'kept', '--restart-delay', '0', '--max-restarts', '1000');
}

/** Has a program kept by supervisord, which runs in the foreground here. */
export async function keptBySupervisor(text, { env, dir, atEnd }) {
  const script = join(dir, 'kept-by-supervisor.cjs');
  const file = join(dir, 'supervisord.conf');
  writeFileSync(script, text);
  writeFileSync(
    file,
    [
      ...['[supervisord]', 'nodaemon=true', `logfile=${dir}/supervisord.log`],
      ...[`pidfile=${dir}/supervisord.pid`, `childlogdir=${dir}`, ''],
      ...['[program:kept]', `command=${process.execPath} ${script}`],
      ...['autorestart=true', 'startsecs=0', 'startretries=1000', ''],
    ].join('\n'),
  );
  const child = spawn(onPath('supervisord'), ['--configuration', file], { env, stdio: 'ignore' });
  await once(child, 'spawn');
  const gone = once(child, 'exit');
  atEnd(() => {
    // It takes what it keeps along.
    child.kill('SIGTERM');
    return gone;
  });
}
