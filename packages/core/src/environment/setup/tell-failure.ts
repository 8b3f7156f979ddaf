import type { EventBus } from '../../events/event-bus.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { Clock } from '../../time/clock.js';

/** Tells that a service could not be built or brought up. What breaks because the work is over is no failure of the service. */
export function tellFailure(
  {
    events,
    clock,
    signal,
  }: { readonly events: EventBus; readonly clock: Clock; readonly signal: AbortSignal },
  service: string,
  thrown: unknown,
): void {
  if (signal.aborted) return;
  const { message } = toStructuredError(thrown, clock.now());
  events.emit('service_state', { service, state: 'failed', message });
}
