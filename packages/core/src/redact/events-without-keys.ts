import type { ResilienceEvent } from '../events/events.js';
import { createKeyStream } from './key-stream.js';

/** Makes a function that takes the bodies of private keys out of events that carry one line each. */
export function eventsWithoutKeys(): (event: ResilienceEvent) => ResilienceEvent {
  const mask = createKeyStream();
  return (event) => {
    if (event.type === 'log_line') {
      const { service, stream, text } = event.data;
      const safe = mask(`log ${service} ${stream}`, text);
      return safe === text ? event : { ...event, data: { ...event.data, text: safe } };
    }
    if (event.type === 'build_output') {
      const { service, line } = event.data;
      const safe = mask(`build ${service}`, line);
      return safe === line ? event : { ...event, data: { ...event.data, line: safe } };
    }
    return event;
  };
}
