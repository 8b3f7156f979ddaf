import type { Finding, Recoverer, RecoveryStep } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resourceOf } from './clean-step.js';
import { type Observer, World } from './fixtures/world.js';
import { cleanRecoverer } from './recoverers/clean.js';

const schedules = Number(process.env.ARGUS_SCHEDULES ?? 100_000);
const { hooks } = buildKernel();
const signal = new AbortController().signal;

/** A history of the world with clean-ups in it. Every number is one thing that happens. */
class History {
  readonly world = new World(hooks);
  removals = 0;
  readonly #plans = new Map<string, RecoveryStep[]>();
  readonly #recoverers = new Map<Observer, Recoverer>();
  #meanwhile: number | undefined;

  constructor() {
    const { engine, processes } = this.world;
    for (const runtime of [engine, ...Object.values(processes)]) {
      runtime.beforeRemoval = async (resources) => {
        const next = this.#meanwhile;
        this.#meanwhile = undefined;
        if (next !== undefined) await this.happens(next);
        this.removals += resources.length;
        this.world.judgeRemoval(resources);
      };
    }
  }

  /** One thing happens; `what` says which, and to whom. */
  async happens(what: number): Promise<void> {
    const { world } = this;
    const which = Math.floor(what / 16);
    switch (what % 16) {
      case 0:
      case 1:
      case 2:
      case 3:
        return world.setUp(which, Math.floor(which / 64) % 6);
      case 4:
        return world.advance(which, 1 + (which % 5));
      case 5:
        return world.takeDown(which, Math.floor(which / 64) % 6);
      case 6:
      case 7:
        return world.crash(which);
      case 8:
        return world.moveClock(200 + (which % 5) * 400);
      case 9:
        return world.moveClock(-(which % 5) * 400);
      case 10:
        return which % 4 === 0 ? world.restart(which >> 2) : world.reusePid(which >> 2);
      case 11:
        return this.plan(which);
      default:
        return this.apply(which);
    }
  }

  #recoverer(observer: Observer): Recoverer {
    const known = this.#recoverers.get(observer);
    if (known) return known;
    const recoverer = cleanRecoverer(observer.parts);
    this.#recoverers.set(observer, recoverer);
    return recoverer;
  }

  /** Plans, told that everything there is was found to be an orphan, and compares with what really is one. */
  async plan(who: number): Promise<void> {
    const { engine, processes, wrongs } = this.world;
    const observer = this.world.observer(who);
    const { clock, project } = observer.parts;
    const things = [...engine.things.values(), ...processes[observer.host].things.values()];
    const findings = things.map(({ type, name }) => ({ check: { target: `${type}:${name}` } }) as Finding);
    const steps = await this.#recoverer(observer).plan({ findings, signal, clock, project });
    this.#plans.set(observer.key, steps);
    const planned = steps
      .map((step) => resourceOf(step).id)
      .sort()
      .join();
    const orphans = this.world.orphansFor(observer).join();
    if (planned !== orphans) wrongs.push(`${observer.key} plans [${planned}], but orphans are [${orphans}]`);
  }

  /** Carries out somebody's last plan, however old it is. Something else may happen in the middle of it. */
  async apply(who: number): Promise<void> {
    const observer = this.world.observer(who);
    if (!this.#plans.has(observer.key)) await this.plan(who);
    const steps = this.#plans.get(observer.key) ?? [];
    this.#plans.delete(observer.key);
    this.#meanwhile = who % 3 === 0 ? undefined : Math.floor(who / 64);
    const { clock, project } = observer.parts;
    await this.#recoverer(observer).apply({ steps, signal, clock, project });
    this.#meanwhile = undefined;
  }
}

// Small numbers are no simpler than others here, so all are as likely.
const histories = fc.noBias(fc.array(fc.nat(2 ** 30), { minLength: 5, maxLength: 12, size: 'max' }));

describe('orphans.clean, over any history of runs', () => {
  it('plans exactly what dead runs of this project and store left, and never removes anything else', async () => {
    let removals = 0;

    const property = fc.asyncProperty(histories, async (events) => {
      const history = new History();
      for (const event of events) await history.happens(event);
      history.world.endAll();
      for (const who of [0, events[0] ?? 0]) await history.plan(who);
      removals += history.removals;
      if (history.world.wrongs.length > 0) throw new Error(history.world.wrongs.join('\n'));
    });
    await fc.assert(property, { numRuns: schedules });
    // Histories in which nothing is ever left behind would prove nothing.
    expect(removals).toBeGreaterThan(schedules / 10);
  }, 240_000);
});
