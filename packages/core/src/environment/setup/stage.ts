import type { Json } from '../../model/json.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { RunContext } from '../runtime.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** What the preparing stage is given: there is no run yet. */
export interface PrepareContext extends Pick<RunContext, 'project' | 'events' | 'clock' | 'signal'> {
  /** Adds a part of its own to the result of the setup, such as `orphanCleanup`. */
  report(part: string, value: Json): void;
}

/** What the later stages of a setup are given. */
export interface StageContext extends RunContext, PrepareContext {}

/** What is given to whoever can tell more about a service that fails its health check. */
export interface DiagnosisContext extends RunContext {
  readonly service: ServiceSpec;
  /** Adds a part to the evidence, such as `network` or `dns`. */
  report(part: string, value: Json): void;
  /** Names a recoverer or an operation that would help; the error suggests it first. */
  suggest(action: string): void;
  /** Says in a few words what keeps the service from being well, for the message of an error; and what to do where argus may not. */
  explain(why: string): void;
}

/** What is given to whoever can put services right that run, without starting them anew. */
export interface RepairContext extends RunContext {
  /** Says what was done, and to which service: `connected to its network again`. */
  repaired(service: string, what: string): void;
}

/** What the resolve stage passes from tap to tap. */
export interface PortResolution {
  readonly services: readonly ServiceSpec[];
  readonly portMappings: readonly PortAssignment[];
  /** Host ports that turned out to be taken when a service was started, whatever they looked like before. */
  readonly refused: readonly number[];
  /** Ports that texts refer to by number, so that they must be known before anything is started. */
  readonly named?: readonly NamedPort[];
  /** Services that run, and so hold their ports themselves; left out, nobody has looked. */
  readonly running?: readonly string[];
}

/** One of a service's ports, by its number inside. */
export interface NamedPort {
  readonly service: string;
  readonly container: number;
  readonly protocol: 'tcp' | 'udp';
}
