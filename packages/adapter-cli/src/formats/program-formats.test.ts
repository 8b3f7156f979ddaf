import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkFormats } from '../command-line/format.js';
import { demoProject } from '../fixtures/demo-project.js';
import { readJunit } from '../fixtures/read-junit.js';

// These start the program as it was built, because CI does nothing else.
const argus = fileURLToPath(new URL('../../dist/argus.js', import.meta.url));

type CheckFormat = (typeof checkFormats)[number];

const runIn = (
  { dir, env }: ReturnType<typeof demoProject>,
  args: string,
  more: Record<string, string> = {},
) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [argus, ...args.split(' ')], {
    cwd: dir,
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
};
const run = (args: string, options: object = {}) => runIn(demoProject(options), args);

/** What each format says in the end: whether it can be read at all, and how it puts the verdict or the error. */
const verdicts: Record<CheckFormat, (out: string) => string | Promise<string>> = {
  async junit(out) {
    const { totals, tests } = await readJunit(out);
    const code = tests.flatMap(({ failure = [], error = [] }) => [...failure, ...error])[0]?.type ?? 'none';
    return `${totals.tests} ${totals.failures} ${totals.errors} ${code}`;
  },
  github(out) {
    expect(out).toMatch(/^(?:::(?:error|warning|notice) [^\n]*::[^\n]*\n)+$/);
    return out.split('::')[1] ?? '';
  },
  nagios: (out) => /^ARGUS (\w+) - [^\n|]+(?: \| '[^\n|]+)?\n[^|]*$/.exec(out)?.[1] ?? '',
  health: (out) => JSON.parse(out).status,
};

type Expected = Record<CheckFormat, readonly [code: number, verdict: string]>;

const codes: readonly (readonly [args: string, options: object, Expected])[] = [
  [
    'check',
    { checks: ['good'] },
    { junit: [0, '1 0 0 none'], github: [0, 'notice title=argus'], nagios: [0, 'OK'], health: [0, 'pass'] },
  ],
  [
    'check',
    { checks: ['good', 'low'] },
    {
      junit: [0, '2 0 0 none'],
      github: [0, 'warning title=DEMO_LOW'],
      nagios: [1, 'WARNING'],
      health: [0, 'warn'],
    },
  ],
  [
    'check --fail-on warn',
    { checks: ['good', 'low'] },
    {
      junit: [1, '2 1 0 DEMO_LOW'],
      github: [1, 'error title=DEMO_LOW'],
      nagios: [2, 'CRITICAL'],
      health: [1, 'fail'],
    },
  ],
  [
    'check',
    { checks: ['bad', 'dependent', 'broken'] },
    {
      junit: [1, '3 1 1 DEMO_LOW'],
      github: [1, 'error title=DEMO_LOW'],
      nagios: [2, 'CRITICAL'],
      health: [1, 'fail'],
    },
  ],
  [
    'check --skip demo.bad --skip demo.dependent',
    { checks: ['bad', 'dependent', 'broken'] },
    {
      junit: [3, '1 0 1 CHECK_BROKEN'],
      github: [3, 'error title=CHECK_BROKEN'],
      nagios: [3, 'UNKNOWN'],
      health: [3, 'warn'],
    },
  ],
  [
    'check --auto-fix --only demo.low',
    { checks: ['low', 'bad'] },
    {
      junit: [0, '1 0 0 none'],
      github: [0, 'notice title=argus repair'],
      nagios: [0, 'OK'],
      health: [0, 'pass'],
    },
  ],
  [
    'check --nonsense',
    {},
    {
      junit: [2, '1 0 1 USAGE_INVALID'],
      github: [2, 'error title=USAGE_INVALID'],
      nagios: [3, 'UNKNOWN'],
      health: [2, 'fail'],
    },
  ],
  [
    'check',
    { throws: true },
    {
      junit: [2, '1 0 1 PLUGIN_INVALID'],
      github: [2, 'error title=PLUGIN_INVALID'],
      nagios: [3, 'UNKNOWN'],
      health: [2, 'fail'],
    },
  ],
];

describe.each(checkFormats)('--format %s', (format) => {
  it.each(codes)(
    'is one document with the exit code of its readers: %s %j',
    async (args, options, expected) => {
      const { code, out, err } = run(`${args} --format ${format}`, options);
      expect([code, await verdicts[format](out)]).toEqual(expected[format]);
      expect(err).toBe('');
    },
  );

  it('is one document when the configuration is broken', async () => {
    const project = demoProject();
    writeFileSync(join(project.dir, 'argus.config.json'), '{ "projct": {} }');
    const { code, out, err } = runIn(project, `check --format ${format}`);
    expect(code).toBe(format === 'nagios' ? 3 : 2);
    expect(await verdicts[format](out)).not.toBe('');
    expect(out).toContain('CONFIG_INVALID');
    expect(out).toContain('projct');
    expect(err).toBe('');
  });

  it('is one document when a plugin ends the process', async () => {
    const project = demoProject();
    rmSync(join(project.dir, 'argus.config.json'));
    writeFileSync(join(project.dir, 'argus.config.mjs'), 'process.exit(0);');
    const { code, out } = runIn(project, `check --format ${format}`);
    expect(code).toBe(format === 'nagios' ? 3 : 1);
    expect(await verdicts[format](out)).not.toBe('');
    expect(out).toContain('INTERNAL_ERROR');
  });

  it('is no pass when something crashes outside of every check', async () => {
    const { code, out, err } = run(`check --timeout 1s --format ${format}`, { checks: ['crash', 'good'] });
    expect(code).toBe(3);
    expect(await verdicts[format](out)).not.toBe('');
    expect(out).toContain('crashed far away');
    expect(err).toMatch(/^error: crashed far away\ncode: INTERNAL_ERROR\nreport: .*\.txt\n$/);
  });

  it('keeps what plugins print out of stdout', async () => {
    const { out, err } = run(`check --format ${format}`, { checks: ['noisy'] });
    expect(await verdicts[format](out)).not.toBe('');
    expect(out).not.toContain('noise');
    expect(err).toBe('noise from a plugin\nmore noise\n');
  });

  it('is for checks only, and other commands say which formats they have', async () => {
    const { code, out } = run(`reset-circuit demo --format ${format}`);
    expect(code).toBe(format === 'nagios' ? 3 : 2);
    expect(await verdicts[format](out)).not.toBe('');
    expect(out).toContain(`argus reset-circuit has no format ${format}; it has pretty, json, ndjson`);
  });

  it('answers questions about argus in words', () => {
    expect(run(`check --help --format ${format}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: argus check/),
    });
    expect(run(`--version --format ${format}`).code).toBe(0);
  });
});

describe('the summary of a step on GitHub', () => {
  it('is added to what is in the file already', () => {
    const project = demoProject({ checks: ['bad'] });
    const file = join(project.dir, 'summary.md');
    writeFileSync(file, '# Before\n\n');
    const { code, err } = runIn(project, 'check --format github', { GITHUB_STEP_SUMMARY: file });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# Before\n\n### argus: demo is unhealthy\n[\s\S]*\n\| demo\.bad thing \| ❌ fail \| nothing works \| <code>argus fix --only demo\.bad<\/code> \|\n/,
    );
  });

  it('changes nothing else when it cannot be written', () => {
    const project = demoProject({ checks: ['good'] });
    const folder = join(project.dir, 'folder');
    mkdirSync(folder);
    const { code, out, err } = runIn(project, 'check --format github', { GITHUB_STEP_SUMMARY: folder });
    expect(code).toBe(0);
    expect(out).toMatch(/^::notice title=argus::healthy: 1 check passed in .*\n$/);
    expect(err).toMatch(/^warning: .*folder could not be written: .*\n$/);
  });

  it('is of no concern to other formats', () => {
    const project = demoProject();
    const { err } = runIn(project, 'check --format junit', { GITHUB_STEP_SUMMARY: project.dir });
    expect(err).toBe('');
  });
});

describe('help', () => {
  const all = '--format pretty|json|ndjson|junit|github|nagios|health ';

  it('lists all formats for a check and the common ones for everything else', () => {
    expect(run('check --help').out).toContain(all);
    for (const args of ['reset-circuit --help', '--help']) {
      expect(run(args).out).toMatch(/ --format pretty\|json\|ndjson {2}/);
    }
  });
});
