import type { CircuitFault } from './circuit-state.js';

/** How many faults are remembered. */
export const HISTORY_LIMIT = 20;

/** The right to make the one call that shows whether the thing is back. */
export type Turn = {
  /** Nobody else has the same; results of a call whose turn was lost are told apart by it. */
  owner: string;
  /** Wall time. */
  takenAt: number;
  /** After so long the owner counts as dead and the turn may be taken again. */
  expiresAfterMs: number;
  /** The process of the owner, where it is known: when that is gone, nobody needs to wait any longer. */
  process?: TurnProcess;
};

/** The process that makes a call. Its start tells it from a later one with the same number. */
export type TurnProcess = { host: string; pid: number; startedAt: string };

/** The state machine of a circuit, as it is stored. Values are never changed, only replaced. */
export type Machine = {
  /** Grows with every change of state. What a call finds out counts only in the era in which it began. */
  era: number;
  /** Wall time at which the state was entered. */
  since: number;
  failureCount: number;
  history: CircuitFault[];
} & ({ state: 'closed' } | { state: 'open' } | { state: 'half-open'; turn: Turn | null });

/** What is remembered of a fault besides its time. */
export type Fault = Omit<CircuitFault, 'timestamp'>;

/** What can happen to a circuit. */
export type MachineEvent =
  | { readonly type: 'answered'; readonly era: number }
  | { readonly type: 'fault'; readonly era: number; readonly fault: Fault }
  | { readonly type: 'ask-turn'; readonly owner: string; readonly process?: TurnProcess | undefined }
  | { readonly type: 'probe-answered'; readonly owner: string }
  | { readonly type: 'probe-fault'; readonly owner: string; readonly fault: Fault }
  | { readonly type: 'give-turn-back'; readonly owner: string }
  | { readonly type: 'clock-went-back' }
  | { readonly type: 'reset' };

/** When a circuit opens and how long things take. */
export interface MachineLimits {
  readonly failureThreshold: number;
  readonly resetTimeoutMs: number;
  readonly probeTimeoutMs: number;
}

/** A circuit that nothing has happened to. */
export function newMachine(now: number): Machine {
  return { state: 'closed', era: 0, since: now, failureCount: 0, history: [] };
}

/** Decides what comes of an event. Returns the very same machine when nothing does. */
export function reduce(machine: Machine, event: MachineEvent, now: number, limits: MachineLimits): Machine {
  switch (event.type) {
    case 'answered':
      return isInEra(machine, event.era) && machine.failureCount > 0
        ? { ...machine, failureCount: 0 }
        : machine;
    case 'fault': {
      if (!isInEra(machine, event.era)) return machine;
      const failed = withFault(machine, event.fault, now);
      return failed.failureCount >= limits.failureThreshold ? open(failed, now) : failed;
    }
    case 'ask-turn':
      return askTurn(machine, event, now, limits);
    case 'probe-answered':
      return holdsTurn(machine, event.owner) ? close(machine, now) : machine;
    case 'probe-fault':
      return holdsTurn(machine, event.owner) ? open(withFault(machine, event.fault, now), now) : machine;
    case 'give-turn-back':
      return holdsTurn(machine, event.owner) ? { ...machine, turn: null } : machine;
    case 'clock-went-back':
      return clockWentBack(machine, now) ? startedNow(machine, now) : machine;
    case 'reset':
      return machine.state === 'open' ? halfOpen(machine, null, now) : machine;
  }
}

/** How long until a call is let through for certain: 0 when one may ask for its turn now. */
export function heldBackMs(machine: Machine, now: number, limits: MachineLimits): number {
  if (machine.state === 'open') return remainingMs(machine.since, limits.resetTimeoutMs, now);
  if (machine.state === 'closed' || machine.turn === null) return 0;
  return remainingMs(machine.turn.takenAt, machine.turn.expiresAfterMs, now);
}

/**
 * Tells whether what calls wait for began in the future. Left so, it would last longer than its timeout, by as much as
 * the wall clock went back; the event of that name lets it begin now.
 */
export function clockWentBack(machine: Machine, now: number): boolean {
  if (machine.state === 'open') return machine.since > now;
  return machine.state === 'half-open' && machine.turn !== null && machine.turn.takenAt > now;
}

/** Tells whether somebody has the turn. */
export function isProbed(machine: Machine): boolean {
  return machine.state === 'half-open' && machine.turn !== null;
}

/** Tells whether a turn is held by that owner. */
export function holdsTurn(
  machine: Machine,
  owner: string,
): machine is Extract<Machine, { state: 'half-open' }> {
  return machine.state === 'half-open' && machine.turn?.owner === owner;
}

function askTurn(
  machine: Machine,
  { owner, process }: Extract<MachineEvent, { type: 'ask-turn' }>,
  now: number,
  limits: MachineLimits,
): Machine {
  if (machine.state === 'closed' || heldBackMs(machine, now, limits) > 0) return machine;
  const term = { owner, takenAt: now, expiresAfterMs: limits.probeTimeoutMs };
  const turn = process ? { ...term, process } : term;
  return machine.state === 'open' ? halfOpen(machine, turn, now) : { ...machine, turn };
}

function startedNow(machine: Machine, now: number): Machine {
  if (machine.state !== 'half-open' || machine.turn === null) return { ...machine, since: now };
  return { ...machine, turn: { ...machine.turn, takenAt: now } };
}

function remainingMs(start: number, timeoutMs: number, now: number): number {
  return Math.min(timeoutMs, Math.max(0, timeoutMs - (now - start)));
}

function isInEra(machine: Machine, era: number): boolean {
  return machine.state === 'closed' && machine.era === era;
}

function withFault<M extends Machine>(machine: M, fault: Fault, now: number): M {
  const history = [...machine.history, { ...fault, timestamp: now }].slice(-HISTORY_LIMIT);
  return { ...machine, failureCount: machine.failureCount + 1, history };
}

function open({ era, failureCount, history }: Machine, now: number): Machine {
  return { state: 'open', era: era + 1, since: now, failureCount, history };
}

function halfOpen({ era, failureCount, history }: Machine, turn: Turn | null, now: number): Machine {
  return { state: 'half-open', era: era + 1, since: now, failureCount, history, turn };
}

function close({ era, history }: Machine, now: number): Machine {
  return { state: 'closed', era: era + 1, since: now, failureCount: 0, history };
}
