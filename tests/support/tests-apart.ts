import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a file of tests says that changes the process it runs in (its environment, its folder, the flags of the engine that runs
 * it), or that it works on real containers and takes its time anyway.
 */
const signs = new RegExp(
  [
    ...['describeWithEngine', 'stubEnv', 'process\\.chdir', 'setFlagsFromString'],
    ...['process\\.env(?:\\.\\w+|\\[\\w+\\]) = ', 'delete process\\.env'],
  ].join('|'),
);

/** The files of tests that get a process of their own, as paths below the top: all of `tests`, and those that show a sign. */
export function testsApart(top: string): string[] {
  const packages = readdirSync(join(top, 'packages'));
  const found = packages.flatMap((name) => testsIn(top, `packages/${name}/src`));
  return [
    ...testsIn(top, 'tests'),
    ...found.filter((file) => signs.test(readFileSync(join(top, file), 'utf8'))),
  ];
}

function testsIn(top: string, folder: string): string[] {
  const names = readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name));
}
