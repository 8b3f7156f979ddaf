import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoProject, temporaryFolder } from './fixtures/demo-project.js';
import { testIo } from './fixtures/test-io.js';
import { main } from './main.js';

const run = async (args: string, options: object = {}, extra: Record<string, string> = {}) => {
  const { dir, env } = demoProject(options);
  return await runIn(dir, args, { ...env, ...extra });
};

const runIn = async (cwd: string, args: string, env: Record<string, string>) => {
  // The demo plugin looks into the environment of this process.
  for (const [name, value] of Object.entries(env).filter(([key]) => key.startsWith('DEMO_'))) {
    process.env[name] = value;
    onTestFinished(() => {
      delete process.env[name];
    });
  }
  const io = testIo({ cwd, env });
  const code = await main(args.split(' '), io);
  return { code, out: io.stdout.text, err: io.stderr.text, json: () => JSON.parse(io.stdout.text) };
};

describe('argus check', () => {
  it('says in one line that everything is well and exits with 0', async () => {
    const { code, out, err } = await run('check');
    expect(out).toMatch(/^pass {4}demo\.good {2}all is well {2}.*ms\nhealthy: 1 check passed in .*ms\n$/);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('is the same as preflight-check', async () => {
    expect((await run('preflight-check')).out).toContain('healthy: 1 check passed');
  });

  it('exits with 0 when there are only warnings, and with 1 when asked to fail on them', async () => {
    const checks = ['good', 'low'];
    expect((await run('check', { checks })).code).toBe(0);
    expect((await run('check --fail-on warn', { checks })).code).toBe(1);
    expect((await run('check --fail-on fail', { checks })).code).toBe(0);
  });

  it('exits with 1 when something failed, whatever else could not be told', async () => {
    expect((await run('check', { checks: ['bad', 'broken'] })).code).toBe(1);
  });

  it('exits with 3 when something could not be told and nothing failed', async () => {
    const { code, out } = await run('check', { checks: ['broken', 'low'] });
    expect(code).toBe(3);
    expect(out).toContain('degraded: 1 warning, 1 could not be determined, 0 passed in');
    expect((await run('check --fail-on warn', { checks: ['broken'] })).code).toBe(3);
    expect((await run('check --fail-on warn', { checks: ['broken', 'low'] })).code).toBe(1);
  });

  it('tells message, code, facts and commands that help for each problem', async () => {
    const { out } = await run('check', { checks: ['low'] });
    expect(out).toContain(
      'demo.low: too little\n  code: DEMO_LOW\n  measured: 1, wanted: at least 2\n  circuit: demo\n',
    );
    expect(out).toContain('  try: argus fix --only demo.low\n');
  });

  it('puts what was skipped below its cause', async () => {
    const { out } = await run('check', { checks: ['bad', 'dependent'] });
    expect(out).toMatch(
      /^fail {4}demo\.bad thing {2}nothing works.*\n {8}skipped because of it: demo\.dependent\n/,
    );
    expect(out).toContain('unhealthy: 1 failed, 0 passed, 1 skipped in');
  });

  it('never lets control codes of a plugin through', async () => {
    const { out } = await run('check', { checks: ['bad'] });
    expect(out).not.toContain('\x1b');
  });

  it('shows notices of the report', async () => {
    const { dir, env } = demoProject({ checks: ['low'] });
    writeFileSync(join(dir, 'file'), '');
    const { code, out } = await runIn(dir, 'check', { ...env, ARGUS_STATE_DIR: join(dir, 'file', 'state') });
    expect(code).toBe(3);
    expect(out.match(/\nnotice: .*\n {2}code: STORE_UNAVAILABLE\n/g)).toHaveLength(1);
  });

  it('shows later what was repaired and what was kept before', async () => {
    const { dir, env } = demoProject({ checks: ['low'] });
    expect((await runIn(dir, 'incidents', env)).out).toBe('nothing was recorded, and nothing is up\n');
    expect((await runIn(dir, 'fix --yes', env)).code).toBe(0);
    const { code, out } = await runIn(dir, 'incidents', env);
    expect(code).toBe(0);
    expect(out).toMatch(/^fill \S+: recovered\n {2}demo\.clean, .*, \d+ s ago, for demo\.low \(\w+\)\n/);
    const { data } = JSON.parse((await runIn(dir, 'incidents --format json', env)).out);
    expect(data.repairs).toMatchObject([
      { outcome: 'applied', verdict: 'recovered', evidence: { problems: [{}] } },
    ]);
  });

  it('shows what a repair came upon once, although every check of it did', async () => {
    const { dir, env } = demoProject({ checks: ['low'] });
    writeFileSync(join(dir, 'state', 'argus.db'), 'no database');
    const { out, err } = await runIn(dir, 'fix --yes', env);
    expect(out).toContain('recovered: 1 of 1 step worked');
    expect(`${out}${err}`.match(/code: STORE_CORRUPT/g)).toHaveLength(1);
  });

  it('does not call healthy or down what it cannot know without the store', async () => {
    const { dir, env } = demoProject({ checks: ['good'] });
    writeFileSync(join(dir, 'file'), '');
    const blind = { ...env, ARGUS_STATE_DIR: join(dir, 'file', 'state') };
    const check = await runIn(dir, 'check', blind);
    expect(check.code).toBe(3);
    expect(check.out).toContain('code: STORE_UNAVAILABLE');
    expect(check.out).toMatch(/^degraded/m);
    const status = await runIn(dir, 'status', blind);
    expect(status.code).toBe(3);
    expect(status.out).toContain('unknown: the state store cannot be used');
    expect(status.out + status.err).toContain('STORE_UNAVAILABLE');
  });

  it('repairs with --auto-fix and shows what was done', async () => {
    const { code, out } = await run('check --auto-fix', { checks: ['low'] });
    expect(out).toContain('pass    fill thing:1: recovered  demo.clean, safe, can be undone\n');
    expect(out).toContain('healthy: 1 check passed');
    expect(code).toBe(0);
  });

  it('takes names separated by commas and options given again', async () => {
    const checks = ['good', 'low', 'bad'];
    const names = async (args: string) =>
      (await run(`check --format json ${args}`, { checks }))
        .json()
        .data.checks.map((one: { name: string }) => one.name);
    expect(await names('--only demo.good,demo.low')).toEqual(['demo.good', 'demo.low']);
    expect(await names('--only demo.good --only demo.bad')).toEqual(['demo.good', 'demo.bad']);
    expect(await names('--skip=demo.bad')).toEqual(['demo.good', 'demo.low']);
  });
});

describe('--format json', () => {
  const envelope = async (args: string, options: object = {}) => {
    const result = await run(`${args} --format json`, options);
    expect(result.out.endsWith('}\n')).toBe(true);
    return { ...result, ...result.json() };
  };

  it('prints one envelope with the report', async () => {
    const { code, ok, data } = await envelope('check');
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(data).toMatchObject({ project: 'demo', overall: 'healthy', checks: [{ name: 'demo.good' }] });
  });

  it.each([
    ['chek', 'There is no command chek; did you mean check?'],
    ['check --onyl x', 'argus check has no option --onyl; did you mean --only?'],
    ['check --only', '--only needs a value'],
    ['check --only demo.god', 'There is no checker or plugin called demo.god; did you mean demo.good?'],
    ['check --fail-on never', '--fail-on cannot be never; there are fail, warn'],
    ['check --timeout soon', 'argus check: --timeout: "soon" is not a duration'],
    ['logs --tail=-1', 'argus logs: --tail: expected at least 0, got -1'],
    ['logs --tail many', 'argus logs: --tail: expected a number, got "many"'],
    ['incidents --last 1.5', 'argus incidents: --last: expected a whole number, got 1.5'],
    ['logs --follow', 'argus logs --follow has no end that could be one document; use --format ndjson'],
    ['check --project', '--project needs a value'],
    ['check extra', 'argus check does not know what to do with extra'],
    ['--onyl check', 'argus itself has no option --onyl'],
    ['--debug=yes check', '--debug takes no value'],
    ['reset-circuit dmo', 'There is no circuit called dmo; did you mean demo?'],
    ['', 'There is no command'],
  ])('answers wrong usage with USAGE_INVALID and exits with 2: %s', async (args, message) => {
    const { code, ok, error } = await envelope(args);
    expect({ code, ok, errorCode: error.code }).toEqual({ code: 2, ok: false, errorCode: 'USAGE_INVALID' });
    expect(error.message).toContain(message);
  });

  it('answers a plugin that throws with PLUGIN_INVALID and exits with 2', async () => {
    const { code, error } = await envelope('check', { throws: true });
    expect({ code, errorCode: error.code }).toEqual({ code: 2, errorCode: 'PLUGIN_INVALID' });
    expect(error.message).toContain('I do not want to');
  });

  it('answers a failing operation with INTERNAL_ERROR and exits with 1', async () => {
    const { code, error, err } = await envelope('demo-explode');
    expect({ code, errorCode: error.code, err }).toEqual({ code: 1, errorCode: 'INTERNAL_ERROR', err: '' });
  });

  it('adds where it happened on stderr with --debug', async () => {
    const { err } = await envelope('demo-explode --debug');
    expect(err).toMatch(/^Error: boom\n {4}at /);
  });

  it('only shows a plan, and exits with 0, also where nobody can repair what is wrong', async () => {
    for (const args of ['fix --plan', 'fix --dry-run', 'fix --plan --format json', 'plan-recovery'])
      expect((await run(args, { checks: ['bad'] })).code).toBe(0);
    expect((await run('fix', { checks: ['bad'] })).code).toBe(1);
  });

  it('explains what is wrong with a configuration without it, and says so in one line', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'argus.config.yaml'), 'projct: { name: shop }\n');
    for (const args of ['explain CONFIG_INVALID', 'explain', 'schema', 'plugins']) {
      const { code, out, err } = await runIn(dir, args, { ARGUS_STATE_DIR: join(dir, 'state') });
      expect([code, out]).toEqual([0, expect.stringMatching(/CONFIG_INVALID|\$schema/)]);
      expect(err).toMatch(/^notice: The configuration was passed over: .*line 1: unknown key "projct".*\n$/);
    }
  });

  it('answers a broken configuration with CONFIG_INVALID and exits with 2', async () => {
    const { dir, env } = demoProject();
    writeFileSync(join(dir, 'argus.config.json'), '{ "projct": {} }');
    const { code, json } = await runIn(dir, 'check --format json', env);
    expect(code).toBe(2);
    expect(json()).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
  });

  it('answers a project folder that is not there with an envelope, too', async () => {
    const { code, error } = await envelope('check --project nowhere');
    expect({ code, errorCode: error.code }).toEqual({ code: 2, errorCode: 'USAGE_INVALID' });
  });

  it.each([
    ['check --project nowhere', /^There is no folder .*nowhere, which --project names$/],
    ['init --project nowhere', /^There is no folder .*nowhere, which --project names$/],
    ['check --config nope.yaml', /^There is no file .*nope\.yaml, which --config names$/],
  ])('blames the command line for what is not there: %s', async (args, message) => {
    const { code, error } = await envelope(args);
    expect(code).toBe(2);
    expect(error).toMatchObject({ code: 'USAGE_INVALID', message: expect.stringMatching(message) });
  });

  it('covers help and the version', async () => {
    expect((await envelope('--version')).data).toEqual({ version: '1.2.3' });
    expect((await envelope('--help')).data.help).toContain('Usage: argus');
  });

  it('describes commands as data, beside the help for people', async () => {
    const { commands, options, exitCodes } = (await envelope('help')).data;
    expect(commands).toContainEqual((await envelope('help status')).data.command);
    expect(options).toContainEqual({ shown: '-h, --help', description: 'Show help' });
    expect(exitCodes.map(({ code }: { code: string }) => code)).toEqual(['0', '1', '2', '3', '128+n']);
    expect((await envelope('run --help')).data.command).toMatchObject({
      usage: 'argus run [SUITE…] [-- COMMAND…] [options]',
      arguments: [{ shown: '[SUITE…]' }, { shown: '[-- COMMAND…]' }],
      exitCodes: expect.stringContaining('124'),
    });
  });
});

describe('--format ndjson', () => {
  it('prints each event and at last the result', async () => {
    const { out } = await run('check --format ndjson');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual([
      'preflight_start',
      'preflight_check',
      'preflight_end',
      'result',
    ]);
    expect(lines[1]).toMatchObject({
      channel: 'resilience',
      timestamp: expect.any(Number),
      data: { status: 'pass' },
    });
    expect(lines[3]).toMatchObject({ type: 'result', ok: true, data: { overall: 'healthy' } });
  });

  it('ends with the error when there is one', async () => {
    const { out } = await run('chek --format ndjson');
    expect(JSON.parse(out)).toMatchObject({ type: 'result', ok: false, error: { code: 'USAGE_INVALID' } });
  });
});

describe('errors for people', () => {
  it('lists each problem of a configuration with its place, on stderr', async () => {
    const dir = temporaryFolder();
    writeFileSync(
      join(dir, 'argus.config.yaml'),
      'services:\n  api:\n    image: x\n    prots: []\nprojct: {}\n',
    );
    const { code, out, err } = await runIn(dir, 'check', {});
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const lines = err.split('\n');
    expect(lines[0]).toMatch(/^error: /);
    expect(lines[1]).toBe('code: CONFIG_INVALID');
    expect(lines[2]).toMatch(/^ {2}argus\.config\.yaml:4 services\.api\.prots: .*ports/);
    expect(lines[3]).toMatch(/^ {2}argus\.config\.yaml:5 projct: .*project/);
    expect(lines[4]).toBe('next: correct argus.config.yaml and try again');
  });

  it('tells a single problem once', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'argus.config.yaml'), 'projct: {}\n');
    const linesWith = (text: string, word: string) => text.split('\n').filter((line) => line.includes(word));
    expect(linesWith((await runIn(dir, 'check', {})).err, 'projct')).toHaveLength(1);
    expect(linesWith((await run('check --timeout soon')).err, 'soon')).toHaveLength(1);
  });

  it.each([
    ['check --onyl x', {}, 'next: argus check --help'],
    ['nonsense', {}, 'next: argus plugins loads them'],
    ['check --timeout soon', {}, 'next: argus check --help'],
    ['check', { throws: true }, 'next: correct the plugin demo or take it out of the configuration'],
    ['demo-explode', {}, 'run it again with --debug'],
    ['check --config nowhere.json', {}, 'nowhere.json'],
    ['apply-recovery 123', { checks: ['low'] }, 'next: argus fix'],
  ])('say what to do next: %s', async (args, options, next) => {
    const { err, out } = await run(args, options);
    expect(err).toContain(next);
    expect(out).toBe('');
  });

  it('show where a crash happened with --debug', async () => {
    expect((await run('demo-explode --debug')).err).toMatch(/Error: boom\n {4}at /);
  });
});

describe('operations of plugins', () => {
  it('are commands with their inputs as arguments and options', async () => {
    const { code, json } = await run(
      'demo-greet Ada --times 2 --loud --tags a,b --input-format long --format json',
    );
    expect(code).toBe(0);
    expect(json().data).toEqual({ greeting: 'ADA ADA', tags: ['a', 'b'], format: 'long' });
  });

  it('are shown as indented keys and values', async () => {
    const { out } = await run('demo-greet --name Ada --tags a,b');
    expect(out).toBe('greeting: Ada\ntags: a, b\nformat: short\n');
  });

  it('include reset-circuit, which takes the circuit as an argument', async () => {
    const { code, out } = await run('reset-circuit demo');
    expect(code).toBe(0);
    expect(out).toBe(
      'Circuit demo is closed: nothing to reset\nstate: closed, as before\nfailures: none is remembered\n' +
        'the next call: goes through\n',
    );
  });
});

describe('recovery', () => {
  it('is planned, applied by its hash and proved', async () => {
    const { dir, env } = demoProject({ checks: ['low', 'good'] });
    const planned = await runIn(dir, 'plan-recovery --only demo.low', env);
    expect(planned.out).toContain('1. fill thing:1  demo.clean, safe, can be undone\n   Fill it up\n');
    expect(planned.out).toContain('   for demo.low (DEMO_LOW)\n');
    const command = /argus (apply-recovery \S+ --only demo\.low --confirm)\n/.exec(planned.out)?.[1] ?? '';
    const tried = await runIn(dir, `${command} --dry-run`, env);
    expect(tried.out).toContain('dry run: 1 of 1 step would be carried out');
    expect(tried.code).toBe(0);
    const applied = await runIn(dir, command, env);
    expect(applied.out).toContain('afterwards healthy: 1 check passed');
    expect(applied.out).toContain('recovered: 1 of 1 step worked');
    expect(applied.code).toBe(0);
    expect((await runIn(dir, 'plan-recovery', env)).out).toBe('There is nothing to do\n');
  });

  it.each([
    ['nothing', 'warn    fill thing:1: ineffective', 'not recovered: 0 of 1 step worked'],
    ['fails', 'fail    fill thing:1: failed', 'it is stuck'],
  ])('exits with 1 when it does not work: %s', async (DEMO_APPLY, step, text) => {
    const { dir, env } = demoProject({ checks: ['low'] });
    const { json } = await runIn(dir, 'plan-recovery --format json', env);
    const { code, out } = await runIn(dir, `apply-recovery ${json().data.hash}`, { ...env, DEMO_APPLY });
    expect(code).toBe(1);
    expect(out).toContain(step);
    expect(out).toContain(text);
    if (DEMO_APPLY === 'fails')
      expect(out).toContain(
        '    code: RECOVERY_FAILED\n' +
          '    try: Read the message, mend that cause, and make a new plan; then argus fix\n',
      );
  });

  it('says which rule refused a step and exits with 1', async () => {
    const { dir, env } = demoProject({ checks: ['low'] });
    const config = {
      plugins: [[join(import.meta.dirname, 'fixtures/project/plugin.ts'), { checks: ['low'] }]],
    };
    writeFileSync(
      join(dir, 'argus.config.json'),
      JSON.stringify({ ...config, policy: { autonomy: 'observe' } }),
    );
    const { json } = await runIn(dir, 'plan-recovery --format json', env);
    const { code, out } = await runIn(dir, `apply-recovery ${json().data.hash}`, env);
    expect(code).toBe(1);
    expect(out).toMatch(/ refused by autonomy: .*\n {4}code: DEMO_LOW\n {4}try: argus fix\n/);
  });
});

describe('schema', () => {
  it('is printed as JSON for people, too', async () => {
    const { code, json } = await run('schema');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ type: 'object', properties: { plugins: expect.anything() } });
  });
});

describe('help', () => {
  it.each(['--help', 'help', '-h', 'help help', 'help --help'])(
    'lists the commands that come along, with an example, and names what it has not run: %s',
    async (args) => {
      const { code, out } = await run(args);
      expect(code).toBe(0);
      expect(out).toMatch(/\n {2}check +Check the environment/);
      expect(out).not.toContain('demo greet');
      expect(out).toContain('Example:\n  argus check --format json\n');
      expect(out).toMatch(/Not run for help: .*plugin\.ts\. argus plugins lists/);
    },
  );

  it('explains one command with its arguments, options, defaults and an example', async () => {
    expect(await run('help check').then((result) => result.out)).toContain('--fail-on fail|warn');
    expect((await run('help setup')).out).toMatch(/ {2}--build, --no-build +Build images first/);
    expect((await run('help run')).out).toMatch(/ {2}--guard, --no-guard +Restart services/);
    expect((await run('help clean')).out).toContain(
      '\nExit codes: 1 as long as something is left, 3 when nobody could look',
    );
  });

  it('leaves the commands of plugins to explain, which loads them', async () => {
    const { out } = await run('explain demo-greet');
    expect(out).toContain('type: argus demo greet NAME [options]\n');
    expect(out).toMatch(/ {2}NAME +Who is greeted \(required\)/);
    expect(out).toMatch(/ {2}--times NUMBER +How often \(default 1\)/);
    expect(out).toMatch(/ {2}--loud\n/);
    expect(out).toMatch(/ {2}--input-format short\|long +How politely \(default short\)/);
    expect((await run('explain status')).out).toContain('type: argus status --help');
  });

  it('works when the configuration is broken, and says so', async () => {
    const { dir, env } = demoProject();
    writeFileSync(join(dir, 'argus.config.json'), '{');
    const { code, out } = await runIn(dir, 'check --help', env);
    expect(code).toBe(0);
    expect(out).toContain('Usage: argus check');
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/Commands of plugins are left out: .* is not valid JSON/);
    const unknown = await runIn(dir, 'demo-greet --help', env);
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.err).toContain('is not valid JSON');
  });

  it('says of a command that it does not know who may know it', async () => {
    const { code, out, err } = await run('demo-greet --help');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/There is no command demo-greet that comes along; .*plugin\.ts may bring it/);
    expect(err).toContain('next: argus plugins loads them');
    expect((await run('help chekc')).err).toContain('There is no command chekc; did you mean check?');
  });

  it('answers --version', async () => {
    expect((await run('--version')).out).toBe('1.2.3\n');
  });
});

describe('--project and --config', () => {
  it('are relative to the current folder', async () => {
    const { dir, env } = demoProject();
    mkdirSync(join(dir, 'below'));
    expect((await runIn(join(dir, 'below'), 'check --project ..', env)).code).toBe(0);
    expect((await runIn(join(dir, 'below'), 'check --config ../argus.config.json', env)).code).toBe(0);
  });
});

describe('on a terminal', () => {
  const live = async (args: string, options: object, settings: Record<string, string> = {}, columns = 80) => {
    const { dir, env } = demoProject(options);
    const io = testIo({ cwd: dir, env: { ...env, ...settings } });
    Object.assign(io.stdout, { isTTY: true, columns });
    await main(args.split(' '), io);
    return { text: io.stdout.text, isCursorVisible: io.stdout.isCursorVisible };
  };

  it('draws the list while checks run, then the result with marks', async () => {
    const { text, isCursorVisible } = await live(
      'check',
      { checks: ['good', 'slow', 'bad'] },
      { NO_COLOR: '1' },
    );
    expect(text).toMatch(/^demo.*\n {2}⠋ demo\.good .*\n {2}⠋ demo\.slow .*\n {2}⠋ demo\.bad .*\n/);
    expect(text).toMatch(/ {2}✓ demo\.good [\s\S]* {2}✓ demo\.slow [\s\S]*unhealthy: 1 failed, 2 passed/);
    // Every line was drawn over, none was taken away.
    expect(text).not.toContain('\x1b[0J');
    expect(isCursorVisible).toBe(true);
  });

  it('names what is awaited when not all checks run', async () => {
    const { text } = await live('check --only demo.slow', { checks: ['good', 'slow'] }, { NO_COLOR: '1' });
    expect(text).toMatch(/0 of 1 done, [<\d.]+ m?s, waiting for demo\.slow/);
  });

  it('cuts the list to the width of the terminal', async () => {
    const { text } = await live('check', { checks: ['good'] }, { NO_COLOR: '1' }, 30);
    expect(text).toMatch(/ {2}✓ demo\.good +[<\d.]+ m?s {2}al.*…/);
  });

  it('uses colours unless told not to', async () => {
    expect((await live('check', {})).text).toContain('\x1b[32m');
    expect((await live('check --no-color', {})).text).not.toContain('\x1b[32m');
    expect((await live('check', {}, { NO_COLOR: '1' })).text).not.toContain('\x1b[32m');
  });

  it('draws nothing live in CI or on a dumb terminal', async () => {
    expect((await live('check', {}, { CI: 'true', NO_COLOR: '1' })).text).not.toContain('\x1b');
    expect((await live('check', {}, { TERM: 'dumb' })).text).not.toContain('\x1b');
  });

  it('shows the steps of a repair as they happen', async () => {
    const { dir, env } = demoProject({ checks: ['low'] });
    process.env.DEMO_MARK = join(dir, 'mark');
    onTestFinished(() => {
      delete process.env.DEMO_MARK;
    });
    const io = testIo({ cwd: dir, env: { ...env, NO_COLOR: '1' } });
    io.stdout.isTTY = true;
    await main(['check', '--auto-fix'], io);
    expect(io.stdout.text).toContain('started fill thing:1: Fill it up');
  });
});

describe('a signal', () => {
  it('ends a check that does not listen, with CANCELLED and 128 plus its number', async () => {
    const { dir, env } = demoProject({ checks: ['stubborn'] });
    const mark = join(dir, 'mark');
    process.env.DEMO_MARK = mark;
    onTestFinished(() => {
      delete process.env.DEMO_MARK;
    });
    const io = testIo({ cwd: dir, env });
    const running = main(['check', '--format', 'json'], io);
    await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
    io.interrupt({ kind: 'signal', name: 'SIGINT', number: 2 });
    expect(await running).toBe(130);
    expect(JSON.parse(io.stdout.text)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  it.each([
    ['junit', 130, 'type="CANCELLED"'],
    ['github', 130, '::error title=CANCELLED::'],
    ['nagios', 3, 'ARGUS UNKNOWN - '],
    ['health', 130, '{"status":"fail",'],
  ])('leaves a whole document in every format: %s', async (format, expected, text) => {
    const { dir, env } = demoProject({ checks: ['stubborn'] });
    const io = testIo({ cwd: dir, env });
    const running = main(['check', '--format', format], io);
    io.interrupt({ kind: 'signal', name: 'SIGINT', number: 2 });
    expect(await running).toBe(expected);
    expect(io.stdout.text).toContain(text);
  });

  it('is obeyed also before there is anything to stop', async () => {
    const { dir, env } = demoProject();
    const io = testIo({ cwd: dir, env });
    io.interrupt({ kind: 'signal', name: 'SIGTERM', number: 15 });
    expect(await main(['check'], io)).toBe(143);
    expect(io.stderr.text).toContain('code: CANCELLED');
  });
});

describe('a crash outside of everything', () => {
  const crash = { kind: 'crash', thrown: new Error('far away') } as const;
  const crashing = (args: string[], checks: string[]) => {
    const { dir, env } = demoProject({ checks });
    const io = testIo({ cwd: dir, env });
    io.interrupt(crash);
    return { io, code: main(args, io) };
  };

  it.each([
    [['good'], 3, 'degraded'],
    [['good', 'bad'], 1, 'unhealthy'],
  ])('costs nothing of what checks find, and is no pass: %j', async (checks, expected, overall) => {
    const { io, code } = crashing(['check', '--format', 'json'], checks);
    expect(await code).toBe(expected);
    expect(JSON.parse(io.stdout.text)).toMatchObject({
      ok: true,
      data: { overall, checks: checks.map((name) => ({ name: `demo.${name}` })) },
    });
    const { data, notices } = JSON.parse(io.stdout.text);
    const told = { code: 'INTERNAL_ERROR', message: 'far away', details: { report: expect.any(String) } };
    expect(data.notices).toMatchObject([told]);
    expect(notices).toEqual(data.notices);
    expect(io.stderr.text).toMatch(/^error: far away\ncode: INTERNAL_ERROR\nreport: .*\.txt\n$/);
  });

  it('is told to people after the results', async () => {
    const { io, code } = crashing(['check'], ['good']);
    expect(await code).toBe(3);
    expect(io.stdout.text).toMatch(
      /\nnotice: far away\n {2}code: INTERNAL_ERROR\n {2}name: Error\n {2}report: .*\.txt\n[\s\S]*\ndegraded: 1 check passed/,
    );
    expect(io.stderr.text).toMatch(
      /^error: far away\ncode: INTERNAL_ERROR\nreport: .*\.txt\nnext: this is a defect/,
    );
  });

  it('leaves an error as it is', async () => {
    const { io, code } = crashing(['chekc', '--format', 'json'], ['good']);
    expect(await code).toBe(2);
    expect(JSON.parse(io.stdout.text)).toMatchObject({
      ok: false,
      error: { code: 'USAGE_INVALID' },
      notices: [{ code: 'INTERNAL_ERROR', message: 'far away' }],
    });
    expect(io.stderr.text).toContain('far away');
  });

  it('is an INTERNAL_ERROR when nothing can follow', async () => {
    const { dir, env } = demoProject({ checks: ['stubborn'] });
    const io = testIo({ cwd: dir, env });
    io.interrupt({ ...crash, kind: 'dead-end' });
    expect(await main(['check', '--format', 'json'], io)).toBe(1);
    expect(JSON.parse(io.stdout.text)).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL_ERROR', message: 'far away' },
    });
  });
});
