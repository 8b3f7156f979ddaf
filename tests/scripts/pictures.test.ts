import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repository, runCommand } from '../support/run-command.js';

/** The text of a picture, line by line, and the picture itself. */
async function picture(folder: string, name: string) {
  const svg = await readFile(join(folder, `${name}.svg`), 'utf8');
  const lines = new Map<string, string>();
  for (const [, y = '', text = ''] of svg.matchAll(/<text [^>]*y="(\d+)"[^>]*>([^<]*)<\/text>/g)) {
    lines.set(y, `${lines.get(y) ?? ''} ${text}`.trim());
  }
  return { svg, lines: [...lines.values()] };
}

/** What is the same at any time on any machine: no numbers with their units, and neither where lines end nor what is cut off because of them. */
function lasting(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.replace(/ \S*…$/, ''))
    .join(' ')
    .replace(/<?\d[\d.,]*( ?([kKMGTP]?B|[mµ]?s|%)(?![a-z]))?/g, 'N')
    .split(/\s+/);
}

it('draws what argus check and argus fix show, with the words and colours of the program and no path of this machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(repository, 'scripts', 'make-pictures.mjs');
  const { code, stderr } = await runCommand(process.execPath, [script, folder], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `2 pictures are in ${folder}\n` });

  const check = await picture(folder, 'check');
  expect(check.svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [\s\S]*<\/svg>\n$/);
  expect(check.svg).toMatch(/fill="#98c379">✓</);
  expect(check.lines[0]).toBe('$ argus check');
  expect(check.lines).toEqual(
    expect.arrayContaining([
      'disk',
      expect.stringMatching(/^✓ disk\.space \S+ m?s .* free on \/$/),
      '✗ orders.database : The test database has no orders',
      'measured: 0 orders, wanted: at least 120 orders',
      'skipped because of it: orders.totals',
      'try: argus fix --only orders.database',
      expect.stringMatching(/^held by: process \d+ \(/),
      expect.stringMatching(/^unhealthy : 1 failed, 1 warning, 2 passed, 2 skipped in /),
    ]),
  );

  const fix = await picture(folder, 'fix');
  expect(fix.lines).toEqual(
    expect.arrayContaining([
      '1. load orders orders.load, safe, can be undone',
      'Carry it out? [y/N] y',
      '✓ load orders: recovered orders.load, safe, can be undone',
      'recovered : 1 of 1 step worked',
    ]),
  );
  const images = join(repository, 'docs', 'images');
  for (const [name, { lines }] of Object.entries({ check, fix })) {
    const kept = await picture(images, name);
    expect(lasting(kept.lines), `docs/images/${name}.svg is old: npm run pictures`).toEqual(lasting(lines));
  }
  for (const { svg } of [check, fix]) {
    for (const path of [repository, tmpdir(), process.execPath]) expect(svg).not.toContain(path);
  }
});
