import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programOnPath } from '../support/engine-tools.js';
import { folderWith } from '../support/folder-with.js';
import type { Call } from './container-call.js';

/** The user's Docker client, which stops at a command. */
export interface HeldDocker {
  /** What a command of argus needs to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Waits until the call has come to that command. */
  reached(call: Call): Promise<void>;
  /** Lets the command go on, and waits for its end. */
  release(): Promise<void>;
}

/**
 * Makes a Docker client that stops at the first command which fits a pattern of the shell: `before run *` is held before the
 * engine hears of it, `after run *` when the engine has done it and whoever asked does not know yet.
 */
export async function heldDocker(pattern: string): Promise<HeldDocker> {
  const folder = await folderWith({});
  const [program, held, done] = ['docker', 'held', 'done'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  const script = `#!/bin/sh
hold() {
  case "$*" in $HOLD_DOCKER) ;; *) return ;; esac
  mkdir '${held}.once' 2> /dev/null || return
  : > '${held}'
  while [ -e '${held}' ]; do sleep 0.05; done
  last=yes
}
hold before "$@"
'${programOnPath('docker')}' "$@"
code=$?
hold after "$@"
[ -z "$last" ] || : > '${done}'
exit "$code"
`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, HOLD_DOCKER: pattern },
    async reached(call) {
      while (!existsSync(held)) {
        if (call.isOver()) throw new Error(`it ended before docker was called with ${pattern}`);
        await sleep(20);
      }
    },
    async release() {
      await rm(held);
      while (!existsSync(done)) await sleep(20);
    },
  };
}
