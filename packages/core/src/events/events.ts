import type { CheckStatus } from '../model/check-result.js';
import type { OverallHealth } from '../model/health-report.js';

/** What each event of the channel `resilience` carries. */
export interface ResilienceEvents {
  preflight_start: { project: string; checks: number };
  preflight_check: { name: string; target?: string; status: CheckStatus; message: string; duration: number };
  preflight_end: { overall: OverallHealth; duration: number };
  recovery_step: {
    recoverer: string;
    target: string;
    action: string;
    state: 'started' | 'applied' | 'refused' | 'failed';
    message: string;
  };
  circuit_open: { circuit: string; failureCount: number; lastError: string };
  circuit_half_open: { circuit: string };
  circuit_closed: { circuit: string; probeSucceeded: boolean };
}

/** An event as it is sent: which, when, and what it carries. */
export type ResilienceEvent = {
  [Type in keyof ResilienceEvents]: {
    channel: 'resilience';
    type: Type;
    timestamp: number;
    data: ResilienceEvents[Type];
  };
}[keyof ResilienceEvents];
