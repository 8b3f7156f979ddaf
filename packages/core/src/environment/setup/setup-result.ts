import type { HealthReport } from '../../model/health-report.js';
import type { Json } from '../../model/json.js';
import type { PortAssignment } from '../runs/run-record.js';

/** A service that is up, and where to reach it. */
export interface RunningService {
  name: string;
  kind: 'service' | 'mock';
  runtime: string;
  status: 'ready' | 'kept' | 'done';
  /** `http://localhost:8080` for each published TCP port, `udp://…` for the others. */
  endpoints: string[];
}

/** What a setup gives back. */
export interface SetupResult {
  runId: string;
  /** Whether the environment was up already and nothing had to be changed. */
  unchanged: boolean;
  services: RunningService[];
  /** Services that were up and were taken down, because they are no longer configured. */
  removed: string[];
  /** Services that were paused, and that go on. */
  resumed: string[];
  portMappings: PortAssignment[];
  /** Values for tests, with the ports that the services really have; `api.base_url` where several services have one. */
  vars: Record<string, string>;
  /** Variables for whatever runs the tests: `ARGUS_PORT_API`, `ARGUS_URL_API`. */
  env: Record<string, string>;
  preflight?: HealthReport;
  orphanCleanup?: Json;
  networkVerification?: Json;
  /** How long each stage took, in milliseconds. */
  stages: Record<string, number>;
  /** Until when the environment stays up without anyone using it; milliseconds since the epoch. */
  leaseUntil: number;
}
