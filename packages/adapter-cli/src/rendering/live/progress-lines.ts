import type { ResilienceEvent } from '@argusai/core';
import { guardProgress } from '../results/guardian.js';
import type { Line, Style } from '../text/line.js';
import { took } from '../text/took.js';

const styles: Record<string, Style> = {
  ready: 'green',
  kept: 'green',
  built: 'green',
  stopping: 'dim',
  failed: 'red',
  building: 'cyan',
  starting: 'cyan',
};

/** What happens during long work, one line each, for whoever watches; nothing for what the result tells anyway. */
export function progressLines(event: ResilienceEvent): Line[] {
  switch (event.type) {
    case 'service_state': {
      const { service, state, message } = event.data;
      // Its resource is told of as removed.
      if (state === 'stopped') return [];
      // Errors begin with the service as well.
      const said = message.startsWith(`${service} `) ? message.slice(service.length + 1) : message;
      return [[[service, 'bold'], ' ', [state, styles[state] ?? 'dim'], said === state ? '' : `: ${said}`]];
    }
    case 'build_output':
      return [[[`${event.data.service} | `, 'dim'], event.data.line]];
    case 'setup_stage': {
      const { stage, state, duration = 0, idle = false } = event.data;
      if (state === 'started' || idle) return [];
      if (state === 'again') return [[[`${stage} is tried again, after ${took(duration)}`, 'dim']]];
      return [[[`${stage} ${state} in ${took(duration)}`, state === 'failed' ? 'red' : 'dim']]];
    }
    case 'port_conflict': {
      const { service, port, pid } = event.data;
      const holder = pid === undefined ? '' : ` by process ${pid}`;
      return [[[service, 'bold'], ` cannot have port ${port}: it is taken${holder}`]];
    }
    case 'port_reassigned': {
      const { service, original, actual } = event.data;
      return [[[service, 'bold'], ` gets port ${actual} instead of ${original}`]];
    }
    case 'cleanup_resource': {
      const { type, name, action, message } = event.data;
      return action === 'removed'
        ? [[[`removed ${type} ${name}${message === undefined ? '' : `: ${message}`}`, 'dim']]]
        : [[['failed ', 'red'], `${type} ${name}: ${message ?? ''}`]];
    }
    case 'fault_injected':
      return [[[event.data.fault, 'bold'], `: ${event.data.message}`]];
    case 'fault_undone':
      return event.data.replaced
        ? [[[event.data.fault, 'bold'], ` of ${event.data.target} is over: it was replaced meanwhile`]]
        : [[[event.data.fault, 'bold'], ` of ${event.data.target} was taken back`]];
    case 'fault_left': {
      const { fault, target, message } = event.data;
      return [[[fault, 'bold'], ` of ${target} could `, ['not be taken back', 'red'], `: ${message}`]];
    }
    case 'suite_start': {
      const { suite, command } = event.data;
      return [[[suite, 'bold'], ' ', ['runs', 'cyan'], `: ${command.join(' ')}`]];
    }
    default:
      return guardProgress(event);
  }
}
