import { spawn } from 'node:child_process';
import { type Clock, systemClock } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { marksOf } from '../command/marks.js';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld } from '../fixtures/world.js';
import { createProcessRuntime } from './process-runtime.js';

/** Starts something that a service could have left behind; gives its number. */
function leave(marks: Record<string, string>): number {
  const child = spawn('sleep', ['1000'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...marks },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

describe('a start in the place of one that has ended', () => {
  it.runIf(process.platform === 'linux')(
    'says what the earlier one has left and what does not end',
    async () => {
      const world = await makeWorld();
      await world.start(service('api', { command: node('process.exit(1)') }));
      await world.ended('api');
      const marks = marksOf({ runId: world.run.id, service: 'api', store: world.run.store });
      leave(marks);
      // Time flies when it is looked for the second time, and what was ended has got a successor by then.
      const left: number[] = [];
      let looks = 0;
      const monotonic = () => {
        looks += 1;
        if (looks === 2) left.push(leave(marks));
        return systemClock.monotonic() + (looks < 2 ? 0 : 60_000);
      };
      const clock: Clock = { ...systemClock, monotonic };
      const runtime = createProcessRuntime({
        records: world.records,
        clock,
        output: { size: 1_000, files: 1 },
        diskSpaceThreshold: 0,
      });
      await runtime.start(service('api', { command: node(forever) }), 'another spec', world.context());
      // The first one may not have gone altogether yet.
      const message = expect.stringMatching(`still there after SIGKILL: .*\\b${left[0]}\\b`);
      const data = { service: 'api', state: 'starting', message };
      expect(world.events).toContainEqual(expect.objectContaining({ type: 'service_state', data }));
      expect(await world.inspect('api')).toMatchObject({ status: 'running' });
    },
  );
});
