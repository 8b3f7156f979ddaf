import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { EventBus } from './event-bus.js';
import type { ResilienceEvent } from './events.js';

describe('the event bus', () => {
  it('tells every listener until it no longer listens', () => {
    const clock = createSimulatedClock(5);
    const bus = new EventBus(clock);
    const seen: ResilienceEvent[] = [];
    const stop = bus.subscribe((event) => seen.push(event));
    bus.emit('circuit_half_open', { circuit: 'docker' });
    stop();
    bus.emit('circuit_half_open', { circuit: 'docker' });
    const expected = {
      channel: 'resilience',
      type: 'circuit_half_open',
      timestamp: 5,
      data: { circuit: 'docker' },
    };
    expect(seen).toEqual([expected]);
    expect(bus.isUsed).toBe(false);
  });

  it('goes on when a listener breaks, and tells the others', () => {
    const bus = new EventBus(createSimulatedClock());
    const seen: string[] = [];
    bus.subscribe(() => {
      throw new Error('listener broke');
    });
    bus.subscribe(({ type }) => seen.push(type));
    expect(() => bus.emit('circuit_half_open', { circuit: 'docker' })).not.toThrow();
    expect(seen).toEqual(['circuit_half_open']);
  });
});
