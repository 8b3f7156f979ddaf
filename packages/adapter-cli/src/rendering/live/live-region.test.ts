import { describe, expect, it } from 'vitest';
import { TestOutput } from '../../fixtures/test-io.js';
import { LiveRegion } from './live-region.js';

const began = (size: Partial<TestOutput> = {}) => {
  const output = Object.assign(new TestOutput(), size);
  return { output, region: new LiveRegion(output, { color: false }) };
};

describe('LiveRegion', () => {
  it('writes only the lines that have changed, each in its place', () => {
    const { output, region } = began();
    region.draw([['one'], ['two'], ['three']]);
    expect(output).toMatchObject({ text: 'one\x1b[K\ntwo\x1b[K\nthree\x1b[K\n', isCursorVisible: false });
    output.text = '';
    region.draw([['one'], ['2'], ['three']]);
    expect(output.text).toBe('\x1b[2A\r2\x1b[K\x1b[2B\r');
    output.text = '';
    region.draw([['one'], ['2'], ['three']]);
    expect(output.text).toBe('');
  });

  it('draws anew when there are fewer lines', () => {
    const { output, region } = began();
    region.draw([['one'], ['two']]);
    output.text = '';
    region.draw([['one']]);
    expect(output.text).toBe('\x1b[2A\r\x1b[0Jone\x1b[K\n');
  });

  it('leaves nothing behind when it is closed, and shows the cursor again', () => {
    const { output, region } = began();
    region.draw([['one']]);
    output.text = '';
    region.close();
    expect(output).toMatchObject({ text: '\x1b[1A\r\x1b[0J', isCursorVisible: true });
  });

  it('leaves what it ends with where the lines were, touching only what has changed', () => {
    const { output, region } = began();
    region.draw([['one'], ['two']]);
    output.text = '';
    region.finish([['one'], ['2'], ['more']]);
    expect(output).toMatchObject({ text: '\x1b[1A\r2\x1b[K\x1b[1B\rmore\x1b[K\n', isCursorVisible: true });
  });

  it('draws no more lines than the screen has and none wider than it is, the last one always', () => {
    const { output, region } = began({ rows: 3, columns: 5 });
    region.draw([['one two'], ['2'], ['3'], ['4']]);
    expect(output.text).toBe('one…\x1b[K\n4\x1b[K\n');
    output.text = '';
    region.finish([['1'], ['2'], ['3'], ['4']]);
    expect(output.text).toBe('\x1b[2A\r\x1b[0J1\x1b[K\n2\x1b[K\n3\x1b[K\n4\x1b[K\n');
  });

  it('finds back to where it began when the terminal has become narrower', () => {
    const { output, region } = began({ columns: 20 });
    region.draw([['0123456789'], ['x']]);
    output.columns = 4;
    output.text = '';
    region.draw([['0123456789'], ['x']]);
    expect(output.text).toBe('\x1b[4A\r\x1b[0J01…\x1b[K\nx\x1b[K\n');
  });

  it('lets others speak above its lines', () => {
    const output = new TestOutput();
    let say: (text: string) => void = () => undefined;
    let isReleased = false;
    const claim = (take: (text: string) => void) => {
      say = take;
      return {
        write: (text: string) => output.write(text),
        release: () => {
          isReleased = true;
        },
      };
    };
    const region = new LiveRegion(Object.assign(output, { claim }), { color: false });
    region.draw([['one']]);
    output.text = '';
    say('noise');
    expect(output.text).toBe('\x1b[1A\r\x1b[0Jnoise\none\x1b[K\n');
    region.close();
    expect(isReleased).toBe(true);
  });
});
