import type { PortMapping } from '../../config/port-mapping.js';

/** The process that started a run. Its start tells it from a later process with the same number. */
export interface RunOwner {
  readonly host: string;
  readonly pid: number;
  /** When the process began, in the system's own terms; only compared for equality. */
  readonly startedAt: string;
}

/** What tells one run from every other. */
export interface RunIdentity {
  readonly id: string;
  readonly project: string;
  /** The absolute path of the project's folder. */
  readonly worktree: string;
  /** The store that has the run's record. */
  readonly store: string;
  readonly owner: RunOwner;
}

/** A service of a run. */
export interface RunService {
  readonly runtime: string;
  /** A hash of what it was started from; another hash means that it must be replaced. */
  readonly spec: string;
  /** What tells its built image from another, where it was built. */
  readonly build?: string;
  /** Addresses of this machine at which the run's containers asked for what runs outside, when it was started. */
  readonly gateways?: readonly string[];
  readonly ports: readonly PortMapping[];
  /** It was told to stop in order to be replaced. Whoever told it may be gone, but it ends all the same. */
  readonly stops?: true;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** A host port that a service did not get, and the one it got instead; or the one it got as asked. */
export interface PortAssignment {
  readonly service: string;
  readonly originalPort: number;
  readonly actualPort: number;
  readonly reassigned: boolean;
  /** Records of earlier versions lack it. */
  readonly protocol?: 'tcp' | 'udp';
  /** The port inside the container, or the one that the process listens on by default. */
  readonly containerPort?: number;
}

/** Who guards a run. */
export interface RunGuardian extends RunOwner {
  /** Tells guardians of one process apart. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** A process that does nothing else, so that whoever ends or replaces the run may end it. */
  readonly background: boolean;
  /** It does other work too, so nobody may end it, but it makes room for one that relieves it. */
  readonly yields?: boolean;
  /** What it works by; one with another fitness would guard differently. Records of earlier versions lack it. */
  readonly fitness?: string;
  /** It has seen that somebody works on the run, and touches nothing until that is over. */
  readonly rests?: true;
  /** Who has asked to guard instead for a while: somebody who knows better when a restart disturbs. */
  readonly relief?: RunGuardian;
  /** Who guards again when this one leaves. */
  readonly after?: RunGuardian;
}

/** Somebody for whom a run was set up, such as tests: with the last of them it ends. */
export interface RunHolder extends RunOwner {
  /** Tells holders of one process apart. */
  readonly id: string;
}

/** A command of a test suite that runs, or was left behind. */
export interface RunCommand extends RunOwner {
  readonly suite: string;
  /** How it begins, without secrets. Records of earlier versions lack it. */
  readonly words?: string;
  /** When it was started, in milliseconds since the epoch. Records of earlier versions lack it. */
  readonly since?: number;
  /** The argus that runs it, and ends it unless it is killed itself. */
  readonly by: RunOwner;
}

/** A service that somebody has broken on purpose for a while. */
export interface RunFault {
  /** The name of the fault. */
  readonly fault: string;
  readonly service: string;
  /** When it is to be taken back, in milliseconds since the epoch. */
  readonly until: number;
  /** The argus that takes it back, unless it is killed itself. */
  readonly by: RunOwner;
}

/** The record of a run in the store, in the namespace `runs` under the run's id. */
export interface RunRecord extends RunIdentity {
  readonly state: 'starting' | 'up' | 'stopping';
  /** How a run was that was up before a setup began to work on it: if that setup dies, it is still so. */
  readonly upBefore?: Pick<RunRecord, 'owner' | 'leaseUntil' | 'holders'>;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Until when a run that is up stays alive without anyone renewing it. */
  readonly leaseUntil: number;
  readonly services: Readonly<Record<string, RunService>>;
  /** Every runtime that has ever had something of it, noted before it gets it: networks outlive their services. */
  readonly runtimes?: readonly string[];
  readonly portMappings: readonly PortAssignment[];
  /** Who guards it, or has guarded it and was never relieved. */
  readonly guardian?: RunGuardian;
  /** Those for whom it was set up. Without the list it stays when whoever set it up has gone. */
  readonly holders?: readonly RunHolder[];
  /** The tests that run with it. */
  readonly commands?: readonly RunCommand[];
  /** What is broken on purpose, or was left broken. */
  readonly faults?: readonly RunFault[];
}
