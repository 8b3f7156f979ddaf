import type { RecoveryReport } from '@argusai/core';
import { toolName } from './tool-name.js';

/** How many steps are named of those that a check has left; all of them are in the data. */
const toldSteps = 5;

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
  if (operation === 'preflight-check') return leftByCheck(data as { recovery?: RecoveryReport });
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

/** What a check that repairs has left because nobody was asked: there is a tool that asks. */
function leftByCheck({ recovery }: { readonly recovery?: RecoveryReport }): string | undefined {
  const left = recovery?.steps.filter(({ refusal }) => refusal?.rule === 'unasked') ?? [];
  if (left.length === 0) return undefined;
  const [plan, apply] = ['plan-recovery', 'apply-recovery'].map(toolName);
  const named = left.slice(0, toldSteps).map(({ action, target }) => `${action} ${target}`);
  const told = [...named, ...(left.length > toldSteps ? [`${left.length - toldSteps} more`] : [])].join(', ');
  return `Not done, because it is destructive and nobody has agreed: ${told}. ${plan} shows it, ${apply} carries it out after a yes`;
}

function recoveryIn(operation: string, data: unknown): RecoveryReport | undefined {
  if (operation === 'apply-recovery') return data as RecoveryReport;
  return operation === 'fix' ? ((data as { report: RecoveryReport | null }).report ?? undefined) : undefined;
}
