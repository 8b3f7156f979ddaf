import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { interruptions } from './interruptions.js';

/** A process that remembers what it said and how it was ended. */
function trial() {
  const source = new EventEmitter();
  const clock = createSimulatedClock();
  const said: string[] = [];
  const interrupted = interruptions({
    source,
    clock,
    warn: (thrown) => said.push((thrown as Error).message),
    beforeHaste: () => said.push('in haste'),
    exit: (code) => said.push(`exit ${code}`),
  });
  return { source, clock, said, interrupted };
}

describe('a signal', () => {
  it('interrupts, and the second one ends the program at once, after a last word', async () => {
    const { source, clock, said, interrupted } = trial();
    source.emit('SIGINT');
    expect(await interrupted).toEqual({ kind: 'signal', name: 'SIGINT', number: 2 });
    await setImmediate();
    await clock.advance(101);
    expect(said).toEqual([]);
    source.emit('SIGTERM');
    expect(said).toEqual(['in haste', 'exit 143']);
  });

  it('that comes twice at the same moment, as from timeout, is one', async () => {
    const { source, clock, said } = trial();
    source.emit('SIGTERM');
    source.emit('SIGTERM');
    await setImmediate();
    await clock.advance(100);
    source.emit('SIGTERM');
    expect(said).toEqual([]);
    await clock.advance(1);
    source.emit('SIGTERM');
    expect(said).toEqual(['in haste', 'exit 143']);
  });

  it('after a crash ends the program at once', async () => {
    const { source, said, interrupted } = trial();
    source.emit('uncaughtException', new Error('far away'));
    expect(await interrupted).toMatchObject({ kind: 'crash', thrown: { message: 'far away' } });
    source.emit('SIGTERM');
    expect(said).toEqual(['in haste', 'exit 143']);
  });
});

describe('what is not a signal', () => {
  it('is told: a second crash, and what nobody waits for', async () => {
    const { source, said, interrupted } = trial();
    source.emit('unhandledRejection', new Error('slip'));
    source.emit('beforeExit');
    source.emit('beforeExit');
    source.emit('uncaughtException', new Error('first'));
    source.emit('uncaughtException', new Error('second'));
    expect(said).toEqual(['slip', 'second']);
    expect(await interrupted).toMatchObject({ kind: 'dead-end' });
  });

  it('leaves the first word of a dead end to whoever knows a way out', async () => {
    const { source, interrupted } = trial();
    source.emit('beforeExit');
    source.emit('SIGINT');
    expect(await interrupted).toMatchObject({ kind: 'signal' });
  });
});
