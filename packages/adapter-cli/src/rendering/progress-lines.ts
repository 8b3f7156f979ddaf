import type { ResilienceEvent } from '@argusai/core';
import type { Line, Style } from './line.js';
import { took } from './took.js';

const styles: Record<string, Style> = {
  ...{ ready: 'green', kept: 'green', stopping: 'dim', failed: 'red', building: 'cyan', starting: 'cyan' },
};

/** What happens during long work, one line each, for whoever watches; nothing for what the result tells anyway. */
export function progressLines(event: ResilienceEvent): Line[] {
  switch (event.type) {
    case 'service_state': {
      const { service, state, message } = event.data;
      // Its resource is told of as removed.
      if (state === 'stopped') return [];
      return [
        [[service, 'bold'], ' ', [state, styles[state] ?? 'dim'], message === state ? '' : `: ${message}`],
      ];
    }
    case 'build_output':
      return [[[`${event.data.service} | `, 'dim'], event.data.line]];
    case 'setup_stage': {
      const { stage, state, duration = 0 } = event.data;
      return state === 'started'
        ? []
        : [[[`${stage} ${state} in ${took(duration)}`, state === 'failed' ? 'red' : 'dim']]];
    }
    case 'port_reassigned': {
      const { service, original, actual } = event.data;
      return [[[service, 'bold'], ` gets port ${actual}, because ${original} is taken`]];
    }
    case 'cleanup_resource': {
      const { type, name, action, message } = event.data;
      return action === 'removed'
        ? [[[`removed ${type} ${name}`, 'dim']]]
        : [[['failed ', 'red'], `${type} ${name}: ${message ?? ''}`]];
    }
    default:
      return [];
  }
}
