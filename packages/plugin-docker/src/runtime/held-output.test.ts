import { createSimulatedClock } from '@argusai/core/testing';
import { expect, it } from 'vitest';
import { HeldOutput } from './held-output.js';

function heldOutput() {
  const said: string[] = [];
  const clock = createSimulatedClock();
  return { said, clock, output: new HeldOutput((line) => said.push(line), clock) };
}

function told(lines: readonly string[], { isFine = true } = {}) {
  const { said, output } = heldOutput();
  for (const line of lines) output.add(line);
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

it('tells everything of one that failed', () => {
  expect(told(old, { isFine: false })).toEqual(old);
});

it('tells everything of one that takes its time, whether another line comes or not', async () => {
  const { said, clock, output } = heldOutput();
  output.add('#2 [internal] load metadata for docker.io/library/x:1');
  await clock.advance(1_900);
  expect(said).toEqual([]);
  await clock.advance(200);
  expect(said).toHaveLength(1);
  for (const line of kit) output.add(line);
  expect(said).toHaveLength(1 + kit.length);
});

it('tells nothing any more of one that has ended', async () => {
  const { said, clock, output } = heldOutput();
  for (const line of kit) output.add(line);
  output.end(true);
  await clock.advance(5_000);
  expect(said).toEqual([]);
});
