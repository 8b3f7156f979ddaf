import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

// Plain JavaScript without any dependency, because the keeper is started from here as it is, also from the sources.

/**
 * When a process began, in the same words as core's `processStart`, but at once: between starting a child and reading
 * this nothing else can happen, so that it is that child's and no other's. A child that has already ended counts
 * until its parent has taken note.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function startOf(pid) {
  if (process.platform !== 'linux')
    return ps(['-o', 'lstart=', '-p', String(pid)])[0]
      ?.split(/\s+/)
      .join(' ');
  const ticks = statOf(pid)?.[19];
  if (ticks === undefined) return undefined;
  return `${bootId()}/${ticks}`;
}

/**
 * The processes of a group. Those that have ended and only wait for someone to take note do not count: under a first
 * process that never does, they stay for ever.
 * @param {number} group
 * @returns {number[]}
 */
export function membersOf(group) {
  if (!mayExist(group)) return [];
  if (process.platform !== 'linux') return listedMembers(group);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = statOf(pid);
      return stat !== undefined && Number(stat[2]) === group && stat[0] !== 'Z' && stat[0] !== 'X';
    });
}

/**
 * Whether a process was stopped and waits to be let go on. One that a debugger holds is not meant. Only Linux tells it for so little
 * that it can be asked all the time.
 * @param {number} pid
 * @returns {boolean}
 */
export function isStopped(pid) {
  return process.platform === 'linux' && statOf(pid)?.[0] === 'T';
}

/**
 * Whether a process was started with an environment variable, as far as this user may see it. Undefined for one that
 * shows no environment at all: it is about to end, or about to become another program.
 * @param {number} pid
 * @param {string} name
 * @param {string} value
 * @returns {boolean | undefined}
 */
export function carries(pid, name, value) {
  const mark = `${name}=${value}`;
  if (process.platform !== 'linux') {
    const [listed = ''] = ps(['-E', '-ww', '-o', 'command=', '-p', String(pid)]);
    return ` ${listed} `.includes(` ${mark} `);
  }
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return variables === '' ? undefined : variables.split('\0').includes(mark);
  } catch {
    // It has ended meanwhile, or it is somebody else's.
    return false;
  }
}

/** Which start of the system it is, in the same words as core. */
function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Some sandboxes hide it. The ticks alone still tell processes of one start of the system apart.
    return '';
  }
}

/** @param {number} group */
function mayExist(group) {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/** @param {number} group */
function listedMembers(group) {
  // Each column apart: some take everything after the first `=` for its title.
  return ps(['-A', '-o', 'pid=', '-o', 'pgid=', '-o', 'state='])
    .map((line) => line.split(/\s+/))
    .filter(([, pgid, state = '']) => Number(pgid) === group && !state.startsWith('Z'))
    .map(([pid]) => Number(pid));
}

/**
 * The fields of a process after its name, which may itself hold spaces and parentheses.
 * @param {number} pid
 */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    // There is no such process, or it went away while it was read.
    return undefined;
  }
}

/** @param {string[]} args */
function ps(args) {
  try {
    /** @type {import('node:child_process').ExecFileSyncOptionsWithStringEncoding} */
    const options = { encoding: 'utf8', timeout: 5_000, stdio: ['ignore', 'pipe', 'ignore'] };
    const listed = execFileSync('ps', args, { ...options, env: { ...process.env, LC_ALL: 'C' } });
    return listed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    // It says by this code that there is no such process. Whatever else is wrong, "could not look" must not read as "is gone".
    if (/** @type {{ status?: unknown }} */ (error).status === 1) return [];
    throw error;
  }
}
