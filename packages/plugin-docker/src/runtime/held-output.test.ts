import { expect, it } from 'vitest';
import { HeldOutput } from './held-output.js';

function told(lines: readonly string[], { isFine = true, everyMs = 10 } = {}) {
  const said: string[] = [];
  const output = new HeldOutput((line) => said.push(line), 0);
  for (const [index, line] of lines.entries()) output.add(line, index * everyMs);
  output.end(isFine);
  return said;
}

const old = ['Step 1/2 : FROM scratch', ' --->', 'Step 2/2 : COPY a b', ' ---> Using cache', ' ---> 0123'];
const kit = ['#1 [internal] load build definition', '#4 [1/2] FROM x', '#5 [2/2] RUN make', '#5 CACHED'];
const kitNamed = [
  '#4 [base 1/3] FROM x',
  '#5 [base 2/3] RUN a',
  '#5 CACHED',
  '#6 [base 3/3] RUN b',
  '#6 CACHED',
];

it.each([[old], [kit], [kitNamed]])('tells nothing of a build that was all in the cache: %j', (lines) => {
  expect(told(lines)).toEqual([]);
});

it.each([
  ['runs something', [...kit.slice(0, 3), '#5 0.101 making', '#5 DONE 0.2s']],
  ['runs something, as the old builder says it', [...old.slice(0, 3), ' ---> Running in 0123']],
  ['made a step without a word', old.filter((line) => !line.includes('cache'))],
  ['has no steps at all', ['something else']],
])('tells everything of one that %s', (_, lines) => {
  expect(told(lines)).toEqual(lines);
});

it('tells everything of one that failed, or takes its time', () => {
  expect(told(old, { isFine: false })).toEqual(old);
  expect(told(kit, { everyMs: 1_000 })).toEqual(kit);
});
