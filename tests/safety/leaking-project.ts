import { folderWith, processProject } from '../../packages/adapter-mcp/src/fixtures/projects.js';
import {
  coloured,
  knownSecret,
  type SecretCase,
  secretCases,
  spelledOut,
  whole,
} from '../../packages/core/src/redact/fixtures/secret-cases.js';

/** The text with the middle of its secret at so many characters from its end. */
const cutAt = (one: SecretCase, distance: number) => {
  const half = one.secret.slice(Math.ceil(one.secret.length / 2)) + one.after;
  return `${whole(one)}${' y'.repeat(distance)}`.slice(0, whole(one).length + distance - half.length);
};

/** Lines that were once kept in pieces, with the secret at the end of the first and the beginning of the second. */
const longLine = (one: SecretCase) => {
  const before = one.before.length + Math.floor(one.secret.length / 2);
  return `${'x '.repeat(8_192)}`.slice(before) + whole(one);
};

/** What the service prints: a line for each case and dress, each with a number. */
export const printedLines = [
  ...[whole, coloured, spelledOut].flatMap((dress) => secretCases.map((one) => dress(one))),
  // Not all of them: what a test reads of a program has a limit.
  ...secretCases.filter((_, at) => at % 3 === 0).map(longLine),
];

/** What a case says in two breaths, so far apart that the first was once a line of its own. */
const [first, last] = [secretCases[0], secretCases.at(-1)].map((one) => whole(one as SecretCase));
const half = (text = '') => Math.floor(text.length / 2);

/** The cases of which a suite prints the one whose secret the limit of its output goes through. */
export const suiteCases = secretCases.filter((_, at) => at % 8 === 0);

const say = `import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const lines = JSON.parse(readFileSync('lines.json', 'utf8'));
lines.forEach((line, at) => console.log('#' + at + ' ' + line));
const [one, other] = ${JSON.stringify([first, last])};
// Once: a process that is killed between two breaths has said half of it, and nobody can tell that from a whole.
const isWell = !existsSync('ill') && !existsSync('ended');
if (isWell) {
  process.stdout.write('#out ' + one.slice(0, ${half(first)}));
  process.stderr.write('#err ' + other.slice(0, ${half(last)}));
  setTimeout(() => {
    console.log(one.slice(${half(first)}));
    console.error(other.slice(${half(last)}));
    console.log('#end');
    writeFileSync('ended', '');
  }, 1_500);
}
setInterval(() => {
  if (!existsSync('crash')) return;
  rmSync('crash');
  for (const line of lines.slice(-90)) console.log('#x ' + line);
  process.exitCode = 1;
  setTimeout(() => process.exit(), 50);
}, 50);`;

// The newest of the tries are told: together they go through as many cases as there is time for.
const check = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const outputs = JSON.parse(readFileSync('health.json', 'utf8'));
const tried = existsSync('tried') ? Number(readFileSync('tried', 'utf8')) : 0;
writeFileSync('tried', String(tried + 1));
process.stdout.write('ready '.repeat(40) + outputs[tried % outputs.length]);
if (existsSync('ill')) process.exitCode = 1;`;

const suite = `import { readFileSync } from 'node:fs';
const text = JSON.parse(readFileSync('suites.json', 'utf8'))[process.argv[2]];
process.stdout.write('#suite ' + 'z '.repeat(20_000) + text);
process.exitCode = 1;`;

/** A project of one service that prints all secrets in every way, in its health check and its tests too. */
export async function leakingProject(files: Record<string, string> = {}) {
  const healthcheck = { command: 'node check.mjs', interval: '20ms', startPeriod: '20ms', retries: 7 };
  const environment = { API_TOKEN: knownSecret };
  const suites = suiteCases.map((_, at) => ({ id: `leak-${at}`, command: `node suite.mjs ${at}` }));
  const cwd = await processProject({
    more: {
      services: { api: { command: 'node say.mjs', environment, healthcheck } },
      tests: { suites },
      resilience: { container: { restartDelay: '10ms' } },
    },
    files: {
      'say.mjs': say,
      'check.mjs': check,
      'suite.mjs': suite,
      'lines.json': JSON.stringify(printedLines),
      'health.json': JSON.stringify(secretCases.map((one) => cutAt(one, 500))),
      'suites.json': JSON.stringify(suiteCases.map((one) => cutAt(one, 8_192))),
      ...files,
    },
  });
  return { cwd, state: folderWith() };
}
