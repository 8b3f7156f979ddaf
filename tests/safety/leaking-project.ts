import { folderWith, processProject } from '../../packages/adapter-mcp/src/fixtures/projects.js';
import {
  dresses,
  knownSecret,
  type SecretCase,
  secretCases,
  whole,
} from '../../packages/core/src/redact/fixtures/secret-cases.js';

/** The text with the middle of its secret at so many characters from its end. */
const cutAt = (one: SecretCase, distance: number) => {
  const half = one.secret.slice(Math.ceil(one.secret.length / 2)) + one.after;
  return `${whole(one)}${' y'.repeat(distance)}`.slice(0, whole(one).length + distance - half.length);
};

/** The text with the middle of its secret at so many characters from its beginning. */
export const reaching = (one: SecretCase, distance: number) => {
  const before = one.before.length + Math.floor(one.secret.length / 2);
  return 'x '.repeat(distance / 2).slice(before) + whole(one);
};

/** Each service tells of so many cases: as many as there are outputs of a health check in an incident. */
export const share = 5;

/** The services, and the cases that each tells of in every output. */
export const services = Array.from({ length: Math.ceil(secretCases.length / share) }, (_, at) => ({
  name: `api-${at}`,
  cases: secretCases.slice(at * share, (at + 1) * share),
}));

/** The ends of lines in an incident, and of what was once kept of a line as one. */
const ends = [4_000, 16_384];

/** What a service prints: a line for each case in each dress. Of the last twenty `check` tells, of the last hundred an incident. */
export const linesOf = (cases: readonly SecretCase[]) =>
  [...ends.map((end) => (one: SecretCase) => reaching(one, end)), ...dresses].flatMap((dress) =>
    cases.map(dress),
  );

/** Prints all lines, then each case in two breaths, so far apart that the first was once a line of its own; and again when it crashes. */
const say = `import { existsSync, readFileSync, rmSync } from 'node:fs';
const { name, lines, cases } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
lines.forEach((line, at) => console.log('#' + at + ' ' + line));
const half = (text) => Math.floor(text.length / 2);
const breathe = (stream, [one, ...rest]) => {
  if (one === undefined) return stream.write('~end~\\n');
  stream.write('#split ' + one.slice(0, half(one)));
  setTimeout(() => {
    stream.write(one.slice(half(one)) + '\\n');
    breathe(stream, rest);
  }, 1_300);
};
// Not where it is killed: a process that ends between two breaths has said half of it, and nobody can tell that from a whole.
if (existsSync('breathe')) {
  breathe(process.stdout, cases.filter((_, at) => at % 2 === 0));
  breathe(process.stderr, cases.filter((_, at) => at % 2 === 1));
}
setInterval(() => {
  if (!existsSync('crash-' + name)) return;
  rmSync('crash-' + name);
  lines.forEach((line, at) => line.length < 16_384 && console.log('#' + at + ' ' + line));
  process.exitCode = 1;
  setTimeout(() => process.exit(), 50);
}, 50);`;

/** One case after the other, in as many tries, or the one of the round. */
export const check = `n=$(cat round 2>/dev/null || cat tried-$0); echo $((n + 1)) > tried-$0; cat $0-$((n % $1)).health; test ! -e ill`;

/** What the health check of a service prints, cut within each secret. */
export const healthFilesOf = ({ name, cases }: (typeof services)[number]) => [
  [`tried-${name}`, '0'],
  ...cases.map((one, at) => [`${name}-${at}.health`, 'ready '.repeat(40) + cutAt(one, 500)]),
];

/** A value that no name gives away: wherever it may be seen, it must not be on a command line. */
export const ordinary = 'ordinary-value-4711';

/** A project whose services print all secrets in every way, in their health checks and its tests too. */
export async function leakingProject(files: Record<string, string> = {}) {
  const environment = { API_TOKEN: knownSecret, PLAIN: ordinary };
  const healthcheck = { interval: '20ms', startPeriod: '20ms', retries: 7 };
  const serviceOf = ({ name, cases }: (typeof services)[number]) => ({
    command: `node say.mjs ${name}.json`,
    environment,
    healthcheck: { ...healthcheck, command: ['sh', '-c', check, name, String(cases.length)] },
  });
  const filesOf = ({ name, cases }: (typeof services)[number]) => [
    [`${name}.json`, JSON.stringify({ name, lines: linesOf(cases), cases: cases.map(whole) })],
    ...healthFilesOf({ name, cases }),
  ];
  const cwd = await processProject({
    more: {
      services: Object.fromEntries(services.map((one) => [one.name, serviceOf(one)])),
      mocks: { bank: { port: 9_081, routes: [{ path: '/v1', response: { body: { plain: ordinary } } }] } },
      resilience: { container: { restartDelay: '10ms' } },
    },
    files: {
      'say.mjs': say,
      ...Object.fromEntries(services.flatMap(filesOf)),
      ...files,
    },
  });
  return { cwd, state: folderWith() };
}

/** A project with tests, of which each fails and prints a case whose secret the limit of an output goes through. */
export async function leakingTests() {
  const suites = secretCases.map((_, at) => ({
    id: `leak-${at}`,
    command: ['sh', '-c', `cat ${at}.suite; exit 1`],
    environment: { API_TOKEN: knownSecret, PLAIN: ordinary },
  }));
  const printed = (one: SecretCase) => `${'z '.repeat(20_000)}${cutAt(one, 8_192)}`;
  const files = Object.fromEntries(secretCases.map((one, at) => [`${at}.suite`, printed(one)]));
  return processProject({ more: { tests: { suites } }, files });
}
