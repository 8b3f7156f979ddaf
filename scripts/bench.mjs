import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './steps/command.mjs';
import { showFailure } from './steps/failure.mjs';
import { prepare } from './steps/prepare.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

const folder = join(workspaceRoot, 'bench');

/** @param {string[]} names The benchmarks to run; without any, all of them. */
async function bench(names) {
  const failures = await prepare(workspaceRoot);
  failures.forEach(showFailure);
  if (failures.length > 0) return 1;

  let worst = 0;
  const files = names.length > 0 ? names.map((name) => `${name}.mjs`) : readdirSync(folder).sort();
  for (const file of files.filter((name) => name.endsWith('.mjs'))) {
    const { code } = await run(process.execPath, [join(folder, file)], { cwd: folder, show: true });
    worst = Math.max(worst, code);
  }
  return worst;
}

try {
  process.exitCode = await bench(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
