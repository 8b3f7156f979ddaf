import type { CheckStatus } from '../model/check-result.js';
import type { OverallHealth } from '../model/health-report.js';
import type { JsonObject } from '../model/json.js';

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
    state: 'started' | 'applied' | 'refused' | 'failed' | 'interrupted';
    message: string;
  };
  /** A setup or a build begins: its services in the order of the configuration, what each waits for, and whether an image is built for it. */
  setup_start: { project: string; services: { name: string; dependsOn: string[]; builds: boolean }[] };
  /** A stage of a setup or a build begins or ends; `again`: it is tried once more. Durations count all tries. */
  setup_stage: {
    stage: string;
    state: 'started' | 'done' | 'failed' | 'again';
    duration?: number;
    /** There was nothing to do in it. */
    idle?: true;
  };
  /** Something happened to a service during a setup, a build or a clean. */
  service_state: {
    service: string;
    state:
      | 'building'
      | 'built'
      | 'starting'
      | 'waiting'
      | 'ready'
      | 'kept'
      | 'stopping'
      | 'stopped'
      | 'failed';
    message: string;
  };
  /** The answer of `status` as it is now, while it is watched: at first, and whenever it has changed. */
  status_changed: JsonObject;
  /** A line that a service printed. */
  log_line: { service: string; stream: 'stdout' | 'stderr'; text: string; at?: number };
  /** A line of a build's output. */
  build_output: { service: string; line: string };
  /** A test suite begins; the command as it is run. */
  suite_start: { suite: string; command: string[] };
  suite_end: {
    suite: string;
    outcome: 'passed' | 'failed' | 'timed-out' | 'interrupted';
    exitCode: number | null;
    signal: string | null;
    duration: number;
  };
  /** Somebody begins to guard a run, waits because another does or because it is being set up, or ends. */
  guard_state: { runId: string; state: 'guarding' | 'waiting' | 'ended'; message: string };
  /** Before each restart of a service, with how long it waits; milliseconds. `with`: the service whose restart is the only reason. */
  restart_attempt: { container: string; attempt: number; reason: string; delay: number; with?: string };
  /** A service is healthy again, so many milliseconds after the attempt began: restarted, or repaired without a restart. */
  restart_success: { container: string; attempt: number; duration: number; repaired?: string[] };
  restart_exhausted: { container: string; attempts: number };
  /** What became of the failure of a service in the end. */
  incident_end: {
    service: string;
    outcome: 'recovered' | 'exhausted' | 'observed' | 'interrupted';
    restarts: number;
    /** Those that were put right without a restart. */
    repairs: number;
    message: string;
  };
  cleanup_start: { project: string };
  cleanup_resource: { type: string; name: string; action: 'removed' | 'failed'; message?: string };
  cleanup_end: { found: number; removed: number; failed: number };
  port_conflict: { service: string; port: number; pid?: number };
  port_reassigned: { service: string; original: number; actual: number };
  /** Whether one service reaches another; `unknown` counts as not reachable. */
  network_check: {
    service: string;
    from: string;
    reachable: boolean;
    status: 'reachable' | 'unreachable' | 'unknown';
  };
  network_verified: { allReachable: boolean };
  /** Somebody has broken something on purpose, or taken that back. */
  fault_injected: { fault: string; target: string; message: string };
  fault_undone: { fault: string; target: string; replaced?: true };
  /** What an argus that is gone has broken on purpose could not be taken back, and why. */
  fault_left: { fault: string; target: string; message: string };
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
