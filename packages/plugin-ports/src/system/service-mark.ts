import { readFile } from 'node:fs/promises';

/** Which service a process was started for, as it carries it in its environment. */
export interface ServiceMark {
  /** What the process runtime knows the service by. */
  readonly id: string;
  /** The store that has the record of its run. */
  readonly store: string;
}

/** The mark of a process. Nothing for what argus has not started, and where the system does not show the environment. */
export async function serviceMarkOf(pid: number): Promise<ServiceMark | undefined> {
  if (process.platform !== 'linux') return undefined;
  // What has ended meanwhile, or is another user's, shows no mark, and so it is taken for a stranger.
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const variable = (name: string) =>
    text
      .split('\0')
      .find((one) => one.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const [id, store] = [variable('ARGUS_PROCESS'), variable('ARGUS_STORE')];
  return id === undefined || store === undefined ? undefined : { id, store };
}
