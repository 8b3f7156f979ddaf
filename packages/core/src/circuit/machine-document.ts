import { type Json, type JsonObject, toJson } from '../model/json.js';
import type { CircuitFault } from './circuit-state.js';
import { HISTORY_LIMIT, type Machine, type Turn, type TurnProcess } from './machine.js';

/** Writes a machine out as it is stored. */
export function toDocument(machine: Machine): Json {
  return toJson(machine);
}

/**
 * Reads a machine back, or nothing when the document is not one: written by hand, or by another version of argus.
 * It is read field by field because a schema library costs more to load than everything else here.
 */
export function fromDocument(value: Json): Machine | undefined {
  if (!isObject(value)) return undefined;
  const { state, era, since, failureCount } = value;
  const history = historyOf(value.history);
  if (!isCount(era) || !isTime(since) || !isCount(failureCount) || !history) return undefined;
  const common = { era, since, failureCount, history };
  if (state === 'closed' || state === 'open') return { ...common, state };
  if (state !== 'half-open') return undefined;
  const turn = turnOf(value.turn);
  return turn === undefined ? undefined : { ...common, state, turn };
}

function turnOf(value: Json | undefined): Turn | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { owner, takenAt, expiresAfterMs } = value;
  if (typeof owner !== 'string' || !isTime(takenAt) || !isTime(expiresAfterMs)) return undefined;
  const process = processOf(value.process);
  return { owner, takenAt, expiresAfterMs, ...(process ? { process } : {}) };
}

/** Whose turn it is; what cannot be understood is as good as not said, because the turn ends all the same. */
function processOf(value: Json | undefined): TurnProcess | undefined {
  if (!isObject(value)) return undefined;
  const { host, pid, startedAt } = value;
  if (typeof host !== 'string' || !isCount(pid) || typeof startedAt !== 'string') return undefined;
  return { host, pid, startedAt };
}

function historyOf(value: Json | undefined): CircuitFault[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const faults: CircuitFault[] = [];
  for (const item of value.slice(-HISTORY_LIMIT)) {
    if (!isObject(item)) return undefined;
    const { error, timestamp, code, reason } = item;
    if (typeof error !== 'string' || !isTime(timestamp)) return undefined;
    faults.push({
      ...{ error, timestamp },
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof reason === 'string' ? { reason } : {}),
    });
  }
  return faults;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: Json | undefined): value is number {
  return typeof value === 'number';
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
