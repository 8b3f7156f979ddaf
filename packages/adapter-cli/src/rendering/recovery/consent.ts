import type { Ask, Question } from '@argusai/core';
import type { Prompt } from '../../io.js';
import type { Line } from '../text/line.js';
import { describeStep, planLines, refusedLines } from './recovery-plan.js';

/** Asks the person at the terminal: shows what it is about, and takes nothing but a yes for a yes. */
export function askAt(prompt: Prompt, show: (lines: readonly Line[]) => void): Ask {
  // Whoever gave the hash of a plan is asked for single steps only.
  let isFirst = true;
  return async (question, signal) => {
    show(subjectOf(question));
    const text = isFirst ? 'Carry it out? [y/N] ' : 'This one too? [y/N] ';
    isFirst = false;
    return /^y(es)?$/i.test((await prompt(text, signal)).trim());
  };
}

function subjectOf(question: Question): Line[] {
  if (question.about === 'plan') return [...planLines(question.plan), ...refusedLines(question.refused)];
  const { step } = question;
  return [
    [[step.action, 'bold'], ` ${step.target}`, [`  ${describeStep(step)}`, 'dim']],
    ['   ', step.description],
  ];
}
