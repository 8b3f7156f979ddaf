import type { Refusal, StepOutcome } from '@argusai/core';
import { stepsFor } from '../problems/steps-for.js';
import { filterArguments } from '../problems/suggested-commands.js';
import type { Line } from '../text/line.js';
import type { Scene } from '../view.js';

/** What is left to say of a step that failed or was refused: the code that it is about, and what to do next. */
export function afterStepLines({ refusal, error, findings }: StepOutcome, scene: Scene): Line[] {
  if (error) return told([error.code], stepsFor(scene.kernel, error));
  // Whoever said no knows why, and what nobody could be asked about is told of below all steps.
  if (!refusal || refusal.rule === 'declined' || refusal.rule === 'unasked') return [];
  const codes = [...new Set(findings.map(({ code }) => code))];
  return told(codes, stepsAfter(refusal, codes, scene));
}

/** What to do about a refusal, by its rule. What argus may not do by itself, a person may agree to. */
function stepsAfter({ rule }: Refusal, codes: readonly string[], { input }: Scene): string[] {
  switch (rule) {
    case 'autonomy':
    case 'correlated':
    case 'consecutive':
      return [`argus fix${filterArguments(input)}`];
    case 'budget':
      return ['argus incidents'];
    case 'exclusion':
      return ['argus config --only policy'];
    default:
      return codes.map((code) => `argus explain ${code}`);
  }
}

function told(codes: readonly string[], steps: readonly string[]): Line[] {
  return [
    ...(codes.length === 0 ? [] : [['    code: ', [codes.join(', '), 'bold']] satisfies Line]),
    ...steps.map((step): Line => ['    try: ', [step, 'cyan']]),
  ];
}
