import type { ResilienceEvents } from '@argusai/core';
import type { Line } from './line.js';

/** A line of a service's output, with the service in front. */
export function logLine({ service, stream, text }: ResilienceEvents['log_line']): Line {
  return [[`${service} | `, stream === 'stderr' ? 'yellow' : 'cyan'], text];
}
