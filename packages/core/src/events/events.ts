import type { CheckStatus } from '../model/check-result.js';
import type { OverallHealth } from '../model/health-report.js';

/** What each event of the channel `resilience` carries. */
export interface ResilienceEvents {
  /** With the names of the checkers that will run. */
  preflight_start: { project: string; checks: string[] };
  preflight_check: { name: string; target?: string; status: CheckStatus; message: string; duration: number };
  preflight_end: { overall: OverallHealth; duration: number };
  recovery_step: {
    recoverer: string;
    target: string;
    action: string;
    state: 'started' | 'applied' | 'refused' | 'failed';
    message: string;
  };
  /** A stage of a setup begins or ends. */
  setup_stage: { stage: string; state: 'started' | 'done' | 'failed'; duration?: number };
  /** Something happened to a service during a setup, a build or a clean. */
  service_state: {
    service: string;
    state: 'building' | 'starting' | 'waiting' | 'ready' | 'kept' | 'stopping' | 'stopped' | 'failed';
    message: string;
  };
  /** A line that a service printed. */
  log_line: { service: string; stream: 'stdout' | 'stderr'; text: string; at?: number };
  /** A line of a build's output. */
  build_output: { service: string; line: string };
  cleanup_start: { project: string };
  cleanup_resource: { type: string; name: string; action: 'removed' | 'failed'; message?: string };
  cleanup_end: { found: number; removed: number; failed: number };
  port_conflict: { service: string; port: number; pid?: number };
  port_reassigned: { service: string; original: number; actual: number };
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
