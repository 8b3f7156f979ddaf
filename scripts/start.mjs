import { join } from 'node:path';
import { run } from './steps/command.mjs';
import { showFailure } from './steps/failure.mjs';
import { prepare } from './steps/prepare.mjs';
import { say } from './steps/say.mjs';
import { readPackages, workspaceRoot } from './steps/workspace.mjs';

/** @param {string[]} args */
async function start(args) {
  const failures = await prepare(workspaceRoot);
  failures.forEach(showFailure);
  if (failures.length > 0) return 1;

  const program = readPackages(workspaceRoot)
    .flatMap(({ folder, manifest }) => (manifest.bin?.argus ? [join(folder, manifest.bin.argus)] : []))
    .at(0);
  if (program === undefined) throw new Error('No package has a program called argus');

  // Alone it tells the whole story; `npm start -- check` runs any command of argus in the example's folder.
  const cwd = join(workspaceRoot, 'examples', 'quickstart');
  const { code } = await run(process.execPath, args.length === 0 ? ['run.mjs'] : [program, ...args], {
    cwd,
    show: true,
  });
  return code;
}

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
