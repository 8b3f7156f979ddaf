import type { RecoveryPlan, RecoveryReport, StepOutcome } from '@argusai/core';
import { refusedSteps } from '../answer/refused-steps.js';
import { toolName } from './tool-name.js';

/** How many steps are named of those that a check has left; all of them are in the data. */
const toldSteps = 5;

/** The rules that hold also for what a person wants. */
const lasting = ['veto', 'exclusion', 'budget'];

/**
 * What a person has to know about steps that were refused: of those that the policy does not let argus take alone, how they can, in the
 * folder that is named where it is not the server's own; of the others, why. Nothing where there are none.
 */
export function leftToPerson(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  data: unknown,
  folder?: string,
): string | undefined {
  if (operation === 'preflight-check') return leftByCheck(data as { recovery?: RecoveryReport });
  // Who has declined something knows that.
  const refused = refusedSteps(operation, data).filter(({ refusal }) => refusal?.rule !== 'declined');
  const isLasting = ({ refusal }: StepOutcome) => lasting.includes(refusal?.rule ?? '');
  const [open, closed] = [refused.filter((step) => !isLasting(step)), refused.filter(isLasting)];
  const said = [
    ...(open.length === 0
      ? []
      : [`The policy leaves this to a person: ${told(open)}. ${commandFor(input, data, folder)}`]),
    ...(closed.length === 0 ? [] : [`Tell the person that this is refused whoever agrees: ${told(closed)}`]),
  ];
  return said.length === 0 ? undefined : said.join('. ');
}

function told(steps: readonly StepOutcome[]): string {
  return steps.map(({ action, target, refusal }) => `${action} ${target} (${refusal?.reason})`).join('; ');
}

function commandFor(input: Readonly<Record<string, unknown>>, data: unknown, folder?: string): string {
  const { plan } = data as { readonly plan: RecoveryPlan };
  const filter = ['only', 'skip'].flatMap((key) => {
    const names = input[key];
    return Array.isArray(names) && names.length > 0 ? [`--${key} ${names.join(',')}`] : [];
  });
  const command = ['argus fix', ...filter, `--apply ${plan.hash}`].join(' ');
  return `${folder === undefined ? 'In a terminal' : `In a terminal in ${folder}`}: ${command}`;
}

/** What a check that repairs has left because nobody was asked: there is a tool that asks. */
function leftByCheck({ recovery }: { readonly recovery?: RecoveryReport }): string | undefined {
  const left = recovery?.steps.filter(({ refusal }) => refusal?.rule === 'unasked') ?? [];
  if (left.length === 0) return undefined;
  const [plan, apply] = ['plan-recovery', 'apply-recovery'].map(toolName);
  const named = left.slice(0, toldSteps).map(({ action, target }) => `${action} ${target}`);
  const all = [...named, ...(left.length > toldSteps ? [`${left.length - toldSteps} more`] : [])].join(', ');
  return `Not done, because it is destructive and nobody has agreed: ${all}. ${plan} shows it, ${apply} carries it out after a yes`;
}
