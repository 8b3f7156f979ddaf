// What the runner costs: 1,000 checkers that do nothing, against the bare Promise.all of the same functions.
import { createKernel, definePlugin, runChecks, usePlugin } from '@argusai/core';
import { interleave } from './interleave.mjs';

const checks = 1_000;
const limitMicroseconds = 5;

const checkers = Array.from({ length: checks }, (_, index) => ({
  name: `idle.c${index}`,
  check: async ({ pass }) => pass('fine'),
}));
const idle = definePlugin({
  name: 'idle',
  apply: ({ hooks }) =>
    hooks.checkers.tap('idle', (registry) => {
      for (const checker of checkers) registry.add(checker);
    }),
});
const kernel = createKernel({ project: { name: 'bench', dir: process.cwd() }, plugins: [usePlugin(idle)] });
const pass = (message) => ({ status: 'pass', message });

const times = await interleave(
  {
    'Promise.all': async (calls) => {
      for (let call = 0; call < calls; call++)
        await Promise.all(checkers.map(({ check }) => check({ pass })));
    },
    argus: async (calls) => {
      for (let call = 0; call < calls; call++) await runChecks(kernel);
    },
  },
  { rounds: 31, warmUps: 10, calls: 5 },
);

const perCheck = (name) => times[name] / checks / 1_000;
const overhead = perCheck('argus') - perCheck('Promise.all');
console.log(`Promise.all  ${perCheck('Promise.all').toFixed(2)} µs a check`);
console.log(`argus        ${perCheck('argus').toFixed(2)} µs a check`);
console.log(`overhead     ${overhead.toFixed(2)} µs a check (limit ${limitMicroseconds})`);
process.exitCode = overhead <= limitMicroseconds ? 0 : 1;
