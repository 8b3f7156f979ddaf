import { createKernel, definePlugin, type EventBus, type ResilienceEvents } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestOutput } from '../../fixtures/test-io.js';
import { LiveList } from './live-list.js';
import { LiveRegion } from './live-region.js';

const plugin = definePlugin({
  name: 'shop',
  apply({ hooks }) {
    hooks.checkers.tap('shop', (all) => {
      all.add({ name: 'shop.images', requires: ['shop.engine'], check: ({ pass }) => pass('there') });
      all.add({ name: 'shop.engine', check: ({ pass }) => pass('answers') });
    });
  },
});

/** A list, whose whole picture is written anew when it is asked for. */
function liveList() {
  const clock = createSimulatedClock();
  const kernel = createKernel({
    project: { name: 'shop', dir: '/' },
    clock,
    plugins: [{ plugin, options: {}, source: 'code' }],
  });
  const output = new TestOutput();
  const list = new LiveList(kernel, output, new LiveRegion(output, { color: false }));
  onTestFinished(() => list.finish());
  kernel.events.subscribe((event) => list.show(event));
  const emit = <Type extends keyof ResilienceEvents>(type: Type, data: ResilienceEvents[Type]) =>
    (kernel.events as EventBus).emit(type, data);
  const picture = async () => {
    await clock.advance(100);
    output.columns += 1;
    output.text = '';
    emit('recovery_step', { recoverer: 'a', target: 'b', action: 'c', state: 'started', message: '' });
    const [text = ''] = output.text.split('\x1b[0J').slice(-1);
    return text.replaceAll('\x1b[K', '').split('\n');
  };
  return { emit, picture };
}

const names = ['shop.images', 'shop.engine'];
const passed = (name: string) => ({ name, status: 'pass', message: `${name} is well`, duration: 5 }) as const;

describe('LiveList', () => {
  it('shows what runs, what waits for another, and each result in its place', async () => {
    const { emit, picture } = liveList();
    emit('preflight_start', { project: 'shop', checks: names });
    expect(await picture()).toMatchObject([
      'shop',
      '  ⠙ shop.engine    100 ms',
      '    · shop.images',
      expect.stringContaining('started'),
      '',
      '0 of 2 done, 100 ms, waiting for shop.engine',
      '',
    ]);
    emit('preflight_check', passed('shop.engine'));
    expect((await picture()).slice(1, 3)).toEqual([
      '  ✓ shop.engine      5 ms  shop.engine is well',
      '    ⠹ shop.images  100 ms',
    ]);
  });

  it('keeps the others where they are when some are checked again', async () => {
    const { emit, picture } = liveList();
    emit('preflight_start', { project: 'shop', checks: names });
    for (const name of names) emit('preflight_check', passed(name));
    emit('preflight_start', { project: 'shop', checks: ['shop.engine'] });
    expect((await picture()).slice(0, 3)).toEqual([
      'shop',
      '  ⠙ shop.engine    100 ms',
      '    ✓ shop.images    5 ms  shop.images is well',
    ]);
  });
});
