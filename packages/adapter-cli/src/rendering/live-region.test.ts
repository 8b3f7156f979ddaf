import { describe, expect, it } from 'vitest';
import { TestOutput } from '../fixtures/test-io.js';
import { LiveRegion } from './live-region.js';

describe('LiveRegion', () => {
  it('draws over what it drew before', () => {
    const output = new TestOutput();
    const region = new LiveRegion(output, false);
    region.draw([['one'], ['two']]);
    expect(output).toMatchObject({ text: 'one\ntwo\n', isCursorVisible: false });
    region.draw([['three']]);
    expect(output.text).toBe('one\ntwo\n\x1b[2A\r\x1b[0Jthree\n');
  });

  it('leaves nothing behind and shows the cursor again', () => {
    const output = new TestOutput();
    const region = new LiveRegion(output, false);
    region.draw([['one']]);
    region.close();
    expect(output).toMatchObject({ text: 'one\n\x1b[1A\r\x1b[0J', isCursorVisible: true });
  });

  it('draws no more lines than the screen has, and none wider than it is', () => {
    const output = Object.assign(new TestOutput(), { rows: 3, columns: 5 });
    new LiveRegion(output, false).draw([['one two'], ['2'], ['3'], ['4']]);
    expect(output.text).toBe('one…\n2\n');
  });

  it('finds back to where it began when the terminal has become narrower', () => {
    const output = Object.assign(new TestOutput(), { columns: 20 });
    const region = new LiveRegion(output, false);
    region.draw([['0123456789'], ['x']]);
    output.columns = 4;
    output.text = '';
    region.close();
    expect(output.text).toBe('\x1b[4A\r\x1b[0J');
  });
});
