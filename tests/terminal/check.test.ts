import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runArgus } from '../support/run-command.js';
import { checkAt, letGo, type ShopCheck, shopProject, withoutTimes } from './shop-project.js';
import type { TerminalSession } from './terminal.js';

const engine: ShopCheck = { name: 'shop.engine', says: [{ status: 'pass', message: 'engine 27.3 answers' }] };
const engineDown: ShopCheck = {
  name: 'shop.engine',
  says: [
    {
      status: 'fail',
      code: 'ENGINE_DOWN',
      message:
        'The engine at /run/engine.sock does not answer, although its socket is there and somebody listens on it',
    },
  ],
};
const images: ShopCheck = {
  name: 'shop.images',
  requires: ['shop.engine'],
  says: [{ status: 'pass', message: 'all 3 images are there' }],
};
const ports: ShopCheck = {
  name: 'till.ports',
  says: [
    { status: 'pass', message: 'port 8081 is free for shop', target: '8081' },
    { status: 'pass', message: 'port 8080 is free for api', target: '8080' },
  ],
};
const portTaken: ShopCheck = {
  name: 'till.ports',
  says: [
    { status: 'pass', message: 'port 8081 is free for shop', target: '8081' },
    {
      status: 'fail',
      code: 'PORT_TAKEN',
      message: 'port 8080 of api is taken',
      target: '8080',
      details: { service: 'api', port: 8080, pid: 4242, command: 'node server.mjs' },
    },
  ],
};
const space: ShopCheck = {
  name: 'shop.space',
  waits: true,
  says: [{ status: 'pass', message: '84.9 GB free on / 漢字漢字漢字 and very much to say about it all' }],
};
const spaceLow: ShopCheck = {
  name: 'shop.space',
  says: [
    {
      status: 'warn',
      code: 'SPACE_LOW',
      message: 'little space on /',
      details: { available: 1.2e9, required: 2e9, total: 50e9, unit: 'bytes' },
    },
  ],
};
const stock: ShopCheck = {
  name: 'till.stock',
  requires: ['shop.engine'],
  says: [{ status: 'pass', message: 'enough' }],
};

/** The screen once the program has ended. Nothing is wider than it, and it is no other screen than the usual one. */
async function ended(session: TerminalSession, columns: number, code: number): Promise<string> {
  expect(await session.ended()).toBe(code);
  const screen = await session.screen();
  expect(await session.broken()).toEqual([]);
  for (const line of screen.split('\n')) expect(line.length).toBeLessThan(columns);
  expect(session.written()).not.toContain('\x1b[?1049h');
  expect(session.isCursorHidden()).toBe(false);
  return withoutTimes(screen);
}

describe.each([80, 120])('argus check at a terminal of %i columns', (columns) => {
  it('shows a line for each checker, which never leaves its place', async () => {
    const project = shopProject([images, engine, space, ports]);
    const session = checkAt(project, { columns });
    await session.shows(/✓ till\.ports.*\n\n3 of 4 done, .*, waiting for shop\.space/);
    const [during = ''] = [await session.screen()];
    letGo(project);
    const screen = await ended(session, columns, 0);
    const message =
      columns === 80 ? '84.9 GB free on / 漢字漢字漢字 and very much to say…' : space.says[0]?.message;
    expect(screen.split('\n')).toEqual([
      'shop',
      '  ✓ shop.engine      TIME  engine 27.3 answers',
      '    ✓ shop.images    TIME  all 3 images are there',
      `  ✓ shop.space       TIME  ${message}`,
      'till',
      '  ✓ till.ports       TIME  port 8081 is free for shop (and 1 more)',
      '',
      'healthy: 5 checks passed in TIME',
    ]);
    const places = (text: string) => text.split('\n').map((line) => /^ {2,}. (\S+)/.exec(line)?.[1]);
    expect(places(during).slice(0, 6)).toEqual(places(screen).slice(0, 6));
    // Only lines that had changed were written again: what was done at first was written no more.
    const afterwards = session.written().split('waiting for shop.space').slice(1).join('');
    expect(afterwards).not.toContain('shop.engine');
  });

  it('says of what is wrong what was measured, what was wanted, who holds the port, and what to type', async () => {
    const project = shopProject([engine, spaceLow, portTaken]);
    const screen = await ended(checkAt(project, { columns }), columns, 1);
    expect(screen.split('\n')).toEqual([
      'shop',
      '  ✓ shop.engine    TIME  engine 27.3 answers',
      '  ! shop.space     TIME  little space on /',
      'till',
      '  ✗ till.ports     TIME  1 of 2: port 8080 of api is taken',
      '',
      '✗ till.ports 8080: port 8080 of api is taken',
      '  code: PORT_TAKEN',
      '  held by: process 4242 (node server.mjs)',
      '  service: api, port: 8080',
      '  try: argus explain PORT_TAKEN',
      '',
      '! shop.space: little space on /',
      '  code: SPACE_LOW',
      '  measured: 1.2 GB of 50 GB, wanted: at least 2 GB',
      '  try: argus explain SPACE_LOW',
      '',
      'unhealthy: 1 failed, 1 warning, 2 passed in TIME',
    ]);
  });

  it('tells a cause first, with everything that could not be looked at because of it', async () => {
    const project = shopProject([spaceLow, images, engineDown, stock]);
    const screen = await ended(checkAt(project, { columns }), columns, 1);
    const message =
      columns === 80
        ? [
            '✗ shop.engine: The engine at /run/engine.sock does not answer, although its',
            '  socket is there and somebody listens on it',
          ]
        : [
            '✗ shop.engine: The engine at /run/engine.sock does not answer, although its socket is there and somebody listens on it',
          ];
    expect(screen.split('\n')).toEqual([
      'shop',
      '  ! shop.space       TIME  little space on /',
      columns === 80
        ? '  ✗ shop.engine      TIME  The engine at /run/engine.sock does not answer, alt…'
        : '  ✗ shop.engine      TIME  The engine at /run/engine.sock does not answer, although its socket is there and somebody l…',
      '    - shop.images          Not looked at: it needs shop.engine',
      'till',
      '  - till.stock             Not looked at: it needs shop.engine',
      '',
      ...message,
      '  code: ENGINE_DOWN',
      '  skipped because of it: shop.images, till.stock',
      '  try: argus explain ENGINE_DOWN',
      '',
      '! shop.space: little space on /',
      '  code: SPACE_LOW',
      '  measured: 1.2 GB of 50 GB, wanted: at least 2 GB',
      '  try: argus explain SPACE_LOW',
      '',
      'unhealthy: 1 failed, 1 warning, 0 passed, 2 skipped in TIME',
    ]);
  });

  it('leaves what was found, and the cursor, when it is ended with Ctrl-C', async () => {
    const project = shopProject([engine, { ...space, waits: 'forever' }, ports]);
    const session = checkAt(project, { columns });
    letGo(project);
    await session.shows(/✓ till\.ports.*\n\n2 of 3 done/);
    session.type('\x03');
    const screen = await ended(session, columns, 130);
    expect(screen.split('\n')).toEqual([
      'shop',
      '  ✓ shop.engine    TIME  engine 27.3 answers',
      '  ? shop.space     TIME  The check was cancelled',
      'till',
      '  ✓ till.ports     TIME  port 8081 is free for shop (and 1 more)',
      '',
      'error: The check was cancelled',
      'code: CANCELLED',
      'next: argus check does it again, when you want it done',
    ]);
  });
});

describe('argus check at a terminal', () => {
  it('shows on a screen that is too small what has room there, and everything in the end', async () => {
    const many = Array.from({ length: 30 }, (_, index): ShopCheck => {
      const says = [{ status: 'pass', message: `shelf ${index} is full` }] as const;
      return { name: `shop.shelf-${index}`, says, ...(index === 29 ? { waits: true } : {}) };
    });
    const project = shopProject(many);
    const session = checkAt(project, { rows: 10 });
    await session.shows('29 of 30 done');
    expect((await session.screen()).split('\n')).toHaveLength(9);
    letGo(project);
    const screen = await ended(session, 80, 0);
    const shelves = screen.split('\n').filter((line) => line.includes('shelf'));
    expect(shelves).toHaveLength(30);
    expect(screen.split('\n').at(-1)).toBe('healthy: 30 checks passed in TIME');
  });

  it('goes on in order when the terminal gets another size', async () => {
    const project = shopProject([engine, space, ports]);
    const session = checkAt(project, { columns: 120 });
    await session.shows(/✓ till\.ports.*\n\n2 of 3 done/);
    session.resize(50, 30);
    await session.shows(/✓ till\.ports.*port 8081 … \(and 1 more\)\n\n2 of 3 done/);
    session.resize(100, 12);
    letGo(project);
    const screen = await ended(session, 100, 0);
    expect(screen.match(/shop\.engine/g)).toHaveLength(1);
    expect(screen.split('\n').at(-1)).toBe('healthy: 4 checks passed in TIME');
  });

  it('lets a plugin that prints something speak above the list', async () => {
    const project = shopProject([engine, { ...space, prints: 'I looked everywhere' }]);
    const session = checkAt(project);
    await session.shows('1 of 2 done');
    letGo(project);
    const screen = await ended(session, 80, 0);
    expect(screen).toMatch(/^I looked everywhere\nshop\n[\s\S]*\n\nhealthy: 2 checks passed in TIME$/);
    expect(screen.match(/shop\.engine/g)).toHaveLength(1);
  });

  it('tells of a crash below what it has found, and where the report is', async () => {
    const project = shopProject([engine, { ...space, crashes: 'crashed far away' }]);
    const session = checkAt(project);
    await session.shows('1 of 2 done');
    letGo(project);
    const screen = await ended(session, 80, 3);
    expect(screen).toMatch(
      /\n\ndegraded: 2 checks passed in TIME\nerror: crashed far away\ncode: INTERNAL_ERROR\n/,
    );
    const reports = join(project.cwd, 'state', 'reports');
    const report = join(reports, readdirSync(reports)[0] ?? '');
    // The path may be longer than a line.
    expect(screen.replace(/\s/g, '')).toContain(`report:${report}`);
    expect(readFileSync(report, 'utf8')).toMatch(
      /^argus crash report\n[\s\S]*\nError: crashed far away\n {4}at /,
    );
  });

  it('shows with the plugins that argus brings what an engine that is down costs, and who holds a port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { cwd, env } = shopProject([]);
    const services = { api: { image: 'shop/api:dev', ports: [`${port}:3000`] } };
    writeFileSync(join(cwd, 'argus.config.json'), JSON.stringify({ project: { name: 'shop' }, services }));
    const engine = { DOCKER_HOST: `unix://${join(cwd, 'nowhere.sock')}` };
    const session = checkAt({ cwd, env: { ...env, ...engine } });
    const screen = await ended(session, 80, 1);
    const needs = 'Not looked at: it needs docker.daemon';
    expect(screen).toMatch(/^docker\n {2}✗ docker\.daemon +TIME {2}.*\n/);
    for (const row of [
      '  - docker.containers',
      '  - docker.disk',
      '- network.topology',
      '- orphans.docker',
    ]) {
      expect(screen).toMatch(new RegExp(`^ {2}${row} +${needs}$`, 'm'));
    }
    expect(screen).toContain(
      '  skipped because of it: docker.containers, docker.disk, network.topology,\n    orphans.docker\n',
    );
    expect(screen).toContain(`  held by: process ${process.pid} (`);
  });

  it('has colours unless nobody wants them, and stands still in CI', async () => {
    const project = shopProject([engine]);
    const written = async (args: readonly string[], env: Record<string, string>) => {
      const session = checkAt(project, { args, env });
      await session.ended();
      await session.screen();
      return session.written();
    };
    const colored = '\x1b[32m✓\x1b[39m';
    expect(await written([], { NO_COLOR: '' })).toContain(colored);
    expect(await written(['--no-color'], { NO_COLOR: '' })).not.toContain(colored);
    expect(await written([], { NO_COLOR: '1' })).not.toContain(colored);
    const inCi = await written([], { CI: 'true' });
    expect(withoutTimes(inCi.replaceAll('\r', ''))).toBe(
      'pass    shop.engine  engine 27.3 answers  TIME\nhealthy: 1 check passed in TIME\n',
    );
  });
});

describe('argus check without a terminal', () => {
  const plain = async (checks: readonly ShopCheck[], env: Record<string, string> = {}) => {
    const { cwd } = shopProject(checks);
    const { code, stdout, stderr } = await runArgus(['check'], { cwd, state: `${cwd}/state`, env });
    return { code, lines: withoutTimes(stdout).split('\n'), stderr };
  };

  it('prints a plain line for each thing that was looked at', async () => {
    expect(await plain([engine, ports])).toEqual({
      code: 0,
      stderr: '',
      lines: [
        'pass    shop.engine      engine 27.3 answers  TIME',
        'pass    till.ports 8081  port 8081 is free for shop  TIME',
        'pass    till.ports 8080  port 8080 is free for api  TIME',
        '',
        'healthy: 3 checks passed in TIME',
        '',
      ],
    });
  });

  it('prints what is wrong, causes first, in lines of any length', async () => {
    const { code, lines } = await plain([spaceLow, images, engineDown]);
    expect(code).toBe(1);
    expect(lines).toEqual([
      'warn    shop.space   little space on /  TIME',
      `fail    shop.engine  ${engineDown.says[0]?.message}  TIME`,
      '        skipped because of it: shop.images',
      '',
      `shop.engine: ${engineDown.says[0]?.message}`,
      '  code: ENGINE_DOWN',
      '  try: argus explain ENGINE_DOWN',
      '',
      'shop.space: little space on /',
      '  code: SPACE_LOW',
      '  measured: 1.2 GB of 50 GB, wanted: at least 2 GB',
      '  try: argus explain SPACE_LOW',
      '',
      'unhealthy: 1 failed, 1 warning, 0 passed, 1 skipped in TIME',
      '',
    ]);
  });

  it('has colours only when they are asked for', async () => {
    const { lines } = await plain([engine], { FORCE_COLOR: '1', NO_COLOR: '' });
    expect(lines[0]).toContain('\x1b[32mpass   \x1b[39m shop.engine');
  });
});
