import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';

/** How many files are kept: for several uses of several versions of argus and of Node. */
const maxFiles = 8;
const suffix = '.compiled';

/** What a program is started for: everything that is kept is loaded at a start, so a check does without what others need. */
export type Use = 'check' | 'all';

/** What these arguments start the program for. */
export function useOf(argv: readonly string[]): Use {
  return argv[0] === 'check' ? 'check' : 'all';
}

/**
 * Where the compiled code of a program is kept, if anywhere: in the user's own cache folder, under a name that changes
 * with everything that it depends on. V8 refuses what another version of it compiled.
 */
export function compiledFile(
  program: string,
  version: string,
  use: Use,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const home = env.HOME || env.USERPROFILE;
  // What is relative counts as unset, or there would be a cache in every folder that argus is started in.
  const caches = [env.XDG_CACHE_HOME, home && join(home, '.cache')].find((one) => one && isAbsolute(one));
  if (!caches || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const { size, mtimeMs } = statSync(program);
  const flags = Buffer.from([...process.execArgv, env.NODE_OPTIONS ?? ''].join(' '))
    .toString('base64url')
    .slice(-60);
  const part = basename(program, '.js');
  const name = [version, use, part, process.version, process.arch, size, Math.trunc(mtimeMs), flags].join(
    '-',
  );
  return join(caches, 'argus', `${name}${suffix}`);
}

/** The compiled code, if there is any that nobody else can have put there. */
export function readCompiled(file: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(file);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOurs ? readFileSync(file) : undefined;
  } catch {
    // Not there yet, or not readable: the program is compiled as usual.
    return undefined;
  }
}

/** Writes compiled code so that no reader ever sees a part of it, and removes what has not been written for longest. */
export function writeCompiled(file: string, compile: () => Buffer): void {
  const folder = dirname(file);
  const unfinished = `${file}.${process.pid}`;
  try {
    // Node's own recursion never ends below a filesystem that makes no folders, such as /proc.
    for (const one of [dirname(folder), folder]) if (!existsSync(one)) mkdirSync(one, { mode: 0o700 });
    const descriptor = openSync(unfinished, 'wx', 0o600);
    try {
      writeFileSync(descriptor, compile());
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, file);
    // Also those that somebody who was killed left unfinished.
    for (const old of oldFiles(folder)) rmSync(old, { force: true });
  } catch {
    // A folder that cannot be written costs the next start some time and nothing else.
  }
}

function oldFiles(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.includes(suffix));
  const dated = files.map((name) => ({
    path: join(folder, name),
    written: statSync(join(folder, name)).mtimeMs,
  }));
  return dated
    .sort((left, right) => right.written - left.written)
    .slice(maxFiles)
    .map(({ path }) => path);
}
