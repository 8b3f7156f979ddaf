import type { RecoveryReport } from '@argusai/core';

/** The rules that hold also for what a person wants. */
const lasting = ['veto', 'declined', 'exclusion', 'budget'];

/**
 * What a person can do about steps that the policy does not let argus take alone, in the folder that is named where it is not the
 * server's own; nothing where there are none.
 */
export function leftToPerson(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  data: unknown,
  folder?: string,
): string | undefined {
  const report = recoveryIn(operation, data);
  const refused = report?.steps.filter(({ refusal }) => refusal && !lasting.includes(refusal.rule)) ?? [];
  if (!report || refused.length === 0) return undefined;
  const told = refused.map(({ action, target, refusal }) => `${action} ${target} (${refusal?.reason})`);
  const filter = ['only', 'skip'].flatMap((key) => {
    const names = input[key];
    return Array.isArray(names) && names.length > 0 ? [`--${key} ${names.join(',')}`] : [];
  });
  const command = ['argus fix', ...filter, `--apply ${report.plan.hash}`].join(' ');
  const where = folder === undefined ? 'In a terminal' : `In a terminal in ${folder}`;
  return `The policy leaves this to a person: ${told.join('; ')}. ${where}: ${command}`;
}

function recoveryIn(operation: string, data: unknown): RecoveryReport | undefined {
  if (operation === 'apply-recovery') return data as RecoveryReport;
  return operation === 'fix' ? ((data as { report: RecoveryReport | null }).report ?? undefined) : undefined;
}
