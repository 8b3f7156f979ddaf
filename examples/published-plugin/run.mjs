// The whole story: the settings of a fresh clone are missing, a plugin from npm says so and argus makes them from the example.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));
const argus = (...args) => {
  console.log(`\n$ argus ${args.join(' ')}`);
  return spawnSync(process.execPath, [program, ...args], { cwd, stdio: 'inherit' }).status;
};

const forget = () => rmSync(`${cwd}/settings.env`, { force: true });

forget();
argus('plugins');
const before = argus('check');
const repair = argus('fix', '--yes');
const after = argus('check');
forget();
process.exitCode = before === 1 && repair === 0 && after === 0 ? 0 : 1;
