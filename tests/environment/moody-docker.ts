import { chmod, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { programOnPath } from '../support/engine-tools.js';
import { folderWith } from '../support/folder-with.js';

/** The user's Docker client, which can be made to find no daemon, or to hang. */
export interface MoodyDocker {
  /** What argus needs to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on it works, says that it cannot connect, or never answers. */
  become(mood: 'well' | 'cut-off' | 'hung'): Promise<void>;
  /** Tells where it notes that it hangs. */
  readonly hangs: string;
}

/** Makes such a client, which works at first. One that hangs and whose argus was killed is gone after two minutes. */
export async function moodyDocker(): Promise<MoodyDocker> {
  const folder = await folderWith({});
  const [program, mood, hangs] = ['docker', 'mood', 'hangs'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  await writeFile(mood, 'well');
  await writeFile(
    program,
    `#!/bin/sh
case "$1" in context) exec '${programOnPath('docker')}' "$@" ;; esac
case "$(cat '${mood}')" in
  cut-off) echo 'Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?' >&2; exit 1 ;;
  hung) : > '${hangs}'; exec sleep 120 ;;
esac
exec '${programOnPath('docker')}' "$@"
`,
  );
  await chmod(program, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    hangs,
    async become(next) {
      await rm(hangs, { force: true });
      await writeFile(mood, next);
    },
  };
}
