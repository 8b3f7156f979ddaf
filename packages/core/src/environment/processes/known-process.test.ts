import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identified, signalKnown, stillThere } from './known-process.js';

async function sleeper() {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const [known] = await identified([child.pid ?? 0]);
  if (!known) throw new Error('it is not there');
  return { child, known };
}

describe('a process that is known by when it began', () => {
  it('is signalled, and is there until it has ended', async () => {
    const { child, known } = await sleeper();
    expect(await stillThere([known])).toEqual([known]);
    const exit = once(child, 'exit');
    expect(await signalKnown(known, 'SIGTERM')).toBe(true);
    expect(await exit).toEqual([null, 'SIGTERM']);
    expect(await stillThere([known])).toEqual([]);
    expect(await signalKnown(known, 'SIGTERM')).toBe(false);
  });

  it('is not mistaken for another that has got its number, which gets no signal', async () => {
    const { child, known } = await sleeper();
    const earlier = { ...known, start: 'another time' };
    expect(await stillThere([earlier])).toEqual([]);
    expect(await signalKnown(earlier, 'SIGKILL')).toBe(false);
    expect(await stillThere([known])).toEqual([known]);
    expect(child.signalCode).toBeNull();
  });
});
