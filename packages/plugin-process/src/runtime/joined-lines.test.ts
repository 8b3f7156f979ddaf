import { expect, it } from 'vitest';
import { formatLine } from '../programs/output-files.mjs';
import { JoinedLines } from './joined-lines.js';

it('joins lines without a space in them that are too long, and takes a moment for each', () => {
  for (let line = 0; line < 10; line++) {
    const lines = new JoinedLines();
    for (let piece = 0; piece < 64; piece++)
      expect(lines.add(formatLine(1, 'stdout', 'x'.repeat(16_384), true).trimEnd())).toBeUndefined();
    // Its last word may be half a secret, and where it begins nobody can tell.
    expect(lines.add(formatLine(1, 'stdout', 'xyz').trimEnd())).toEqual({
      at: 1,
      stream: 'stdout',
      text: `${'x'.repeat(1_048_576 - 4_096)}… (4099 more characters)`,
    });
  }
});
