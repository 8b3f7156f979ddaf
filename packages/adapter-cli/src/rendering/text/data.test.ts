import { describe, expect, it } from 'vitest';
import { dataLines } from './data.js';
import { paint } from './line.js';

const shown = (data: unknown) => paint(dataLines(data), { color: false });

describe('dataLines', () => {
  it('shows keys and values, what is inside indented', () => {
    expect(shown({ name: 'api', ports: [80, 443], owner: { pid: 7, host: null }, none: [], empty: {} })).toBe(
      'name: api\nports: 80, 443\nowner:\n  pid: 7\n  host: none\nnone: none\nempty: none\n',
    );
  });

  it('shows a list of things one below the other', () => {
    expect(shown({ steps: [{ a: 1, b: 2 }, { a: 3 }] })).toBe('steps:\n  - a: 1\n    b: 2\n  - a: 3\n');
    expect(shown(['x', ['y'], {}, []])).toBe('- x\n- - y\n- none\n- none\n');
  });

  it('keeps the lines of a long text', () => {
    expect(shown({ log: 'one\ntwo\n' })).toBe('log:\n  one\n  two\n'.replace('two\n', 'two\n'));
  });

  it('shows values that are no objects, and nothing as nothing', () => {
    expect([shown('text'), shown(3), shown({}), shown(null)]).toEqual([
      'text\n',
      '3\n',
      'nothing\n',
      'none\n',
    ]);
  });
});
