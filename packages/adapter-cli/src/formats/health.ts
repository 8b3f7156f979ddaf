import { type JsonObject, printableJson } from '@argusai/core';
import { statusCounts } from '../rendering/health/status-counts.js';
import { measuredAmount } from '../rendering/text/measured-amount.js';
import { findingTitle } from './finding-title.js';
import { argusItself, type Finding, type Findings } from './findings.js';
import type { FormatScene, WrittenResult } from './program-format.js';

type HealthStatus = 'pass' | 'warn' | 'fail';

const overallStatus = { healthy: 'pass', degraded: 'warn', unhealthy: 'fail' } as const;

/**
 * A document of `application/health+json` (draft-inadarei-api-health-check-06). The service that it speaks of is the
 * environment of the project. `links` are left out, because what helps are commands; those are in `output`.
 */
export function healthResult(findings: Findings, { version }: FormatScene): WrittenResult {
  const { project, overall, all, repairs, notices } = findings;
  // A check that did not take place has found nothing good. Who reads only the status must not take that for health.
  const status: HealthStatus = overall === undefined ? 'fail' : overallStatus[overall];
  const notes = [
    ...all.filter(isSkipped).map((finding) => `skipped: ${findingTitle(finding)}: ${finding.message}`),
    ...repairs.map((repair) => `repair: ${repair}`),
    ...notices.map(({ code, message }) => `notice: ${message} (${code})`),
  ];
  const document = {
    status,
    version: version.replace(/\..*/s, ''),
    releaseId: version,
    ...(project === undefined ? {} : { serviceId: project }),
    description: `The environment of ${project ?? 'a project'}, as argus sees it`,
    ...(notes.length === 0 ? {} : { notes }),
    ...(status === 'pass'
      ? {}
      : { output: overall === undefined ? all.map(explain).join('\n') : statusCounts(all) }),
    ...(overall === undefined ? {} : { checks: checksOf(findings) }),
  };
  return { text: `${printableJson(document)}\n` };
}

/**
 * What was skipped is in the notes only: the draft knows `pass`, `warn` and `fail`, and of a thing that nobody looked at
 * each of them would be untrue.
 */
function checksOf({ all, timestamp }: Findings): Record<string, JsonObject[]> {
  const time = new Date(timestamp).toISOString();
  const checks = new Map<string, JsonObject[]>();
  for (const finding of all.filter((one) => !isSkipped(one))) {
    const key = keyOf(finding);
    checks.set(key, [...(checks.get(key) ?? []), { ...entryOf(finding), time }]);
  }
  return Object.fromEntries(checks);
}

/** `disk.space` is what is measured of the component `disk`. The colon between them is the only one. */
function keyOf({ check }: Finding): string {
  return check.replaceAll(':', '.').replace('.', ':');
}

function entryOf(finding: Finding): JsonObject {
  const { target, details } = finding;
  const amount = measuredAmount(details);
  const status = statusOf(finding);
  return {
    ...(target === undefined ? {} : { componentId: target }),
    // What can run out belongs to the machine; everything else is a part that works or does not.
    componentType: amount ? 'system' : 'component',
    ...(amount ? { observedValue: amount.available } : {}),
    ...(amount?.unit === undefined ? {} : { observedUnit: amount.unit }),
    status,
    ...(status === 'pass' ? {} : { output: explain(finding) }),
  };
}

function statusOf({ countsAs }: Finding): HealthStatus {
  if (countsAs === 'fail') return 'fail';
  // Nothing is known to be wrong and it is no pass either; that it could not be told is in the output.
  return countsAs === 'pass' ? 'pass' : 'warn';
}

function explain({ check, countsAs, message, code, problems, next }: Finding): string {
  const isUntold = countsAs === 'unknown' && check !== argusItself;
  const said = `${isUntold ? 'could not be determined: ' : ''}${message}`;
  return [
    code === undefined ? said : `${said} (${code})`,
    ...problems,
    ...next.map((step) => `next: ${step}`),
  ].join('\n');
}

function isSkipped({ status }: Finding): boolean {
  return status === 'skipped';
}
