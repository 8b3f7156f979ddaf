import { isHealthReport, withCrash } from '@argusai/core';
import type { Outcome } from './outcome.js';

/** Puts a crash beside the work into the envelope. */
export function withCrashNotice(outcome: Outcome): Outcome {
  const { envelope, notice } = outcome;
  return notice ? { ...outcome, envelope: withCrash(envelope, notice) } : outcome;
}

/** Leaves the crash out of what the report lists, for who is told of it right below. The verdict stays. */
export function withoutCrashNotice(outcome: Outcome): Outcome {
  const { envelope, notice } = outcome;
  if (!notice || !envelope.ok || !isHealthReport(envelope.data)) return outcome;
  const notices = envelope.data.notices.filter((one) => one !== notice);
  return { ...outcome, envelope: { ...envelope, data: { ...envelope.data, notices } } };
}
