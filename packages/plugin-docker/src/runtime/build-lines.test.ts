import { describe, expect, it } from 'vitest';
import { BuildLines } from './build-lines.js';

describe('the last lines of a build', () => {
  it('are in the order of time, and no more than asked for', () => {
    const lines = new BuildLines(3);
    lines.add('early', 'stderr', 0);
    for (const number of [1, 2, 3]) lines.add(String(number), 'stdout', 1_000);
    lines.add('broken', 'stderr', 2_000);
    expect(lines.take()).toEqual(['2', '3', 'broken']);
  });

  it('end with what was complained of when both pipes are read at once', () => {
    const lines = new BuildLines(3);
    lines.add('broken', 'stderr', 1_000);
    for (const number of [1, 2, 3]) lines.add(String(number), 'stdout', 1_400);
    expect(lines.take()).toEqual(['2', '3', 'broken']);
  });

  it('are all there are when there are fewer', () => {
    const lines = new BuildLines(3);
    lines.add('only', 'stdout', 0);
    expect(lines.take()).toEqual(['only']);
  });
});
