import { describe, expect, it } from 'vitest';
import { paint, widthOf } from '../text/line.js';
import { checkRow } from './check-row.js';
import { checkTable } from './check-table.js';
import { checkTree } from './check-tree.js';

const groups = checkTree([
  { name: 'docker.daemon', plugin: 'docker', requires: [] },
  { name: 'docker.containers', plugin: 'docker', requires: ['docker.daemon'] },
]);
const result = { status: 'pass', message: 'argus-shop-mwlpvojxb51d-web is running', duration: 200 } as const;
const row = checkRow([result, result]);

describe('the list of checks', () => {
  it.each([10, 20, 30, 40, 50, 80])('has no line that is wider than a screen of %i columns', (columns) => {
    const lines = checkTable(groups, () => row, { columns });
    expect(Math.max(...lines.map(widthOf))).toBeLessThan(columns);
  });

  it('says how many there are where that fits, and else what does', () => {
    const rows = (columns: number) =>
      paint(
        checkTable(groups, () => row, { columns }),
        { color: false },
      ).split('\n');
    expect(rows(60)[1]).toBe('  ✓ docker.daemon        200 ms  argus-shop-m… (and 1 more)');
    expect(rows(40)[1]).toBe('  ✓ docker.daemon        200 ms  argus…');
  });
});
