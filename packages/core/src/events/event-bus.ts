import type { Clock } from '../time/clock.js';
import type { ResilienceEvent, ResilienceEvents } from './events.js';

/** Is told of every event. */
export type EventListener = (event: ResilienceEvent) => void;

/** Hands events to whoever listens: the CLI draws from them, MCP turns them into progress. */
export class EventBus {
  readonly #clock: Clock;
  readonly #prepare: (event: ResilienceEvent) => ResilienceEvent;
  readonly #listeners = new Set<EventListener>();

  /** `prepare` sees every event before anyone else does; the kernel removes secrets there. */
  constructor(clock: Clock, prepare: (event: ResilienceEvent) => ResilienceEvent = (event) => event) {
    this.#clock = clock;
    this.#prepare = prepare;
  }

  /** Whether anyone listens, so that costly events need not be made for nobody. */
  get isUsed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Sends an event to every listener. */
  emit<Type extends keyof ResilienceEvents>(type: Type, data: ResilienceEvents[Type]): void {
    if (this.#listeners.size === 0) return;
    const event = { channel: 'resilience', type, timestamp: this.#clock.now(), data } as ResilienceEvent;
    const prepared = this.#prepare(event);
    for (const listener of this.#listeners) tell(listener, prepared);
  }

  /** Listens until the returned function is called. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Whoever draws or forwards events must not be able to break the work they tell of; Node prints the warning. */
function tell(listener: EventListener, event: ResilienceEvent): void {
  try {
    listener(event);
  } catch (thrown) {
    process.emitWarning(thrown instanceof Error ? thrown : String(thrown), { type: 'ArgusListenerWarning' });
  }
}
