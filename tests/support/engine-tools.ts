import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { apt, runAll } from './debian.js';

/** What a machine has to offer for running an engine. */
export interface Machine {
  readonly platform: string;
  readonly isRoot: boolean;
  /** Tells whether a program is on the path. */
  has(program: string): boolean;
}

/** What has to be done before an engine can be started: commands to run, or why it is no use. */
export type ToolPlan = { readonly commands: readonly (readonly string[])[] } | { readonly missing: string };

// The program that a private engine needs, and the Debian package that has it.
const packages = new Map([
  ['dockerd', 'docker.io'],
  ['docker', 'docker-cli'],
  ['iptables', 'iptables'],
  ['ip', 'iproute2'],
  ['busybox', 'busybox-static'],
]);

/** The machine that we are on. */
export const thisMachine: Machine = {
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  has: (program) => programOnPath(program) !== undefined,
};

/** Says how to get the tools for a private engine. Nothing is done yet. */
export function planTools(machine: Machine): ToolPlan {
  if (machine.platform !== 'linux')
    return { missing: `a private engine needs Linux, not ${machine.platform}` };
  if (!machine.isRoot) return { missing: 'no engine answers, and starting a private one needs root' };
  if (!machine.has('unshare'))
    return { missing: 'no engine answers, and there is no unshare to start one with' };
  const absent = [...packages].filter(([program]) => !machine.has(program));
  if (absent.length === 0) return { commands: [] };
  if (!machine.has('apt-get')) {
    const programs = absent.map(([program]) => program).join(', ');
    return { missing: `no engine answers, and there is no apt-get to install what is missing: ${programs}` };
  }
  // In some releases of Debian the client comes with the engine, in others it is a package of its own.
  const wanted = absent.map(([, name]) => name).filter((name) => name !== 'docker-cli');
  const commands = [[...apt, 'update']];
  if (wanted.length > 0) commands.push([...apt, 'install', '-y', '--no-install-recommends', ...wanted]);
  if (!machine.has('docker')) {
    const install = [...apt, 'install', '-y', '--no-install-recommends', 'docker-cli'].join(' ');
    commands.push(['sh', '-c', `command -v docker || ${install}`]);
  }
  return { commands };
}

/** Gets the tools for a private engine. Gives the reason when that fails. */
export async function getTools(say: (line: string) => void): Promise<string | undefined> {
  const plan = planTools(thisMachine);
  if ('missing' in plan) return plan.missing;
  if (plan.commands.length > 0)
    say('Installing a Docker engine for the tests from Debian (only this once) …');
  const failure = await runAll(plan.commands);
  return failure === undefined ? undefined : `no engine answers, and installing one failed: ${failure}`;
}

/** The path of a program, or nothing. System programs are found also where the path of a plain user ends. */
export function programOnPath(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        // Not in this folder.
        return false;
      }
    });
}
