import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../packages/adapter-cli/src/fixtures/demo-project.js';
import { atTerminal, type TerminalSession } from './terminal.js';

const argus = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));

/** A plugin whose checks come to what is wanted. One that is to be slow waits for the file `go` of its project. */
const plugin = (name: string, checks: readonly ShopCheck[]) => `import { existsSync } from 'node:fs';
const code = (name, more) => ({ code: name, category: 'system', severity: 'recoverable', summary: name, suggestedActions: ['preflight-check'], ...more });
const codes = { ENGINE_DOWN: code('ENGINE_DOWN'), PORT_TAKEN: code('PORT_TAKEN'), SPACE_LOW: code('SPACE_LOW', { severity: 'warning' }) };
const until = async (file, signal) => {
  while (!existsSync(file) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
};
const checker = ({ name, requires, waits, prints, crashes, says }) => ({
  name, requires, timeoutMs: 60_000,
  async check(context) {
    if (waits) await until('go', context.signal);
    if (waits === 'forever') await new Promise(() => setInterval(() => undefined, 1000));
    if (prints) console.log(prints);
    if (crashes) await new Promise((resolve) => setTimeout(() => { setTimeout(resolve, 10); throw new Error(crashes); }));
    return says.map(({ status, code, message, ...more }) =>
      code ? context[status](codes[code], { message, ...more }) : context[status](message, more));
  },
});
export default { name: '${name}', apply({ hooks }) {
  ${name === 'shop' ? "hooks.errorCodes.tap('shop', (all) => Object.values(codes).forEach((one) => all.add(one)));" : ''}
  hooks.checkers.tap('${name}', (all) => ${JSON.stringify(checks)}.forEach((one) => all.add(checker(one))));
} };
`;

/** What a check comes to, for one thing that it looks at. */
interface Says {
  readonly status: 'pass' | 'warn' | 'fail' | 'unknown';
  readonly message: string;
  readonly code?: 'ENGINE_DOWN' | 'PORT_TAKEN' | 'SPACE_LOW';
  readonly target?: string;
  readonly details?: object;
}

/** A check of the project. */
export interface ShopCheck {
  readonly name: `${'shop' | 'till'}.${string}`;
  readonly says: readonly Says[];
  readonly requires?: readonly string[];
  /** Waits for the file `go`, or for ever. */
  readonly waits?: true | 'forever';
  /** What it prints, although nobody asked for it. */
  readonly prints?: string;
  /** What it throws where nobody waits for it. */
  readonly crashes?: string;
}

/** A folder with checks that come to what is wanted. */
export interface ShopProject {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Makes a project with checks of two plugins. */
export function shopProject(checks: readonly ShopCheck[]): ShopProject {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'checks'));
  const plugins = ['shop', 'till'].map((name) => {
    const own = checks.filter((check) => check.name.startsWith(name));
    writeFileSync(join(cwd, 'checks', `${name}.mjs`), plugin(name, own));
    return `./checks/${name}.mjs`;
  });
  writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify({ project: { name: 'shop' }, plugins }));
  const env = { PATH: process.env.PATH ?? '', ARGUS_STATE_DIR: join(cwd, 'state'), HOME: cwd };
  return { cwd, env };
}

/** Lets the checks go on that wait. */
export function letGo({ cwd }: ShopProject): void {
  writeFileSync(join(cwd, 'go'), '');
}

/** How the terminal is, and what is said on the command line besides. */
interface CheckLook {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
}

/** Runs a check at a terminal in a project, with more time than even a slow machine needs. */
export function checkAt(
  project: ShopProject,
  { args = [], columns = 80, rows = 40, env = {} }: CheckLook = {},
): TerminalSession {
  return atTerminal([process.execPath, argus, 'check', '--timeout', '60s', ...args], {
    columns,
    rows,
    cwd: project.cwd,
    env: { NO_COLOR: '1', ...project.env, ...env },
  });
}

const time = String.raw`(?:<1|\d+(?:\.\d)?) (?:ms|s)`;

/** A screen whose durations are all the same. In the list they are right-aligned, so they keep their width. */
export function withoutTimes(screen: string): string {
  return screen
    .replace(new RegExp(` +${time}(?= {2})`, 'g'), (text) => 'TIME'.padStart(text.length))
    .replace(new RegExp(`( in| done,| ) ${time}(?=,|$)`, 'gm'), '$1 TIME');
}
