import type { ResilienceEvent } from '@argusai/core';

/** What begins with this event, in a line; nothing for what only ends or repeats. */
export function stepOf(event: ResilienceEvent): string | undefined {
  switch (event.type) {
    case 'preflight_start':
      return `checks ${event.data.checks.length} things`;
    case 'recovery_step': {
      const { state, action, target } = event.data;
      return state === 'started' ? `${action} ${target}` : undefined;
    }
    case 'setup_stage': {
      const { state, stage } = event.data;
      return state === 'started' || state === 'again' ? `setup: ${stage}` : undefined;
    }
    case 'service_state': {
      const { service, state, message } = event.data;
      return state === 'stopped'
        ? undefined
        : `${service} ${state}${message === state ? '' : `: ${message}`}`;
    }
    case 'port_reassigned':
      return `${event.data.service} gets port ${event.data.actual} instead of ${event.data.original}`;
    case 'suite_start':
      return `runs the suite ${event.data.suite}`;
    case 'restart_attempt':
      return `restarts ${event.data.container}: ${event.data.reason}`;
    case 'cleanup_start':
      return 'looks for what is left';
    case 'cleanup_resource':
      return `${event.data.action} ${event.data.type} ${event.data.name}`;
    case 'guard_state':
      return `guardian ${event.data.state}: ${event.data.message}`;
    case 'fault_injected':
      return event.data.message;
    case 'fault_left':
      return `${event.data.fault} of ${event.data.target} could not be taken back: ${event.data.message}`;
    default:
      return undefined;
  }
}
