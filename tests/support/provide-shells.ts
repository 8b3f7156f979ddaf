import { readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { apt, runAll } from './debian.js';
import { programOnPath, thisMachine } from './engine-tools.js';

/** Shells that argus completes in and that not every machine has. */
const shells = ['zsh', 'fish'];

/** Installs the shells that selected tests ask for, where that is possible; where it is not, those tests are skipped. */
export default async function provideShells({ vitest }: TestProject): Promise<void> {
  const absent = shells.filter((shell) => programOnPath(shell) === undefined);
  const texts = await Promise.all(vitest.state.getPaths().map((file) => readFile(file, 'utf8')));
  const isAskedFor = texts.some((text) => text.includes('hasShell'));
  if (absent.length === 0 || !isAskedFor) return;
  const failure =
    thisMachine.isRoot && thisMachine.has('apt-get') ? await install(absent) : 'that needs root and apt-get';
  if (failure !== undefined)
    say(`Tests that need ${absent.join(' and ')} are skipped; to install them failed: ${failure}`);
}

function install(packages: readonly string[]): Promise<string | undefined> {
  say(`Installing ${packages.join(' and ')} for the tests from Debian (only this once) …`);
  return runAll([
    [...apt, 'update'],
    [...apt, 'install', '-y', '--no-install-recommends', ...packages],
  ]);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
