import { type AdvisedCall, type Json, type Kernel, type StructuredError, shellWord } from '@argusai/core';
import { commandsOf } from '../../command-line/command.js';
import type { InputField } from '../../command-line/input-fields.js';
import { type Input, isPositional, placeholder } from '../../command-line/parse-input.js';

/** All commands that a problem suggests, best first. What a recoverer would do is shown and asked about before it is done. */
export function suggestedCommands(
  kernel: Pick<Kernel, 'operations' | 'recoverers'>,
  { code, suggestedActions, details }: Pick<StructuredError, 'code' | 'suggestedActions' | 'details'>,
  check?: string,
): string[] {
  const commands = suggestedActions.flatMap((action) => {
    if (kernel.operations.has(action)) return commandFor(kernel, { operation: action, input: details }) ?? [];
    // A recoverer that is for something else has no step for this one, however much it would help.
    const isFor = kernel.recoverers.get(action)?.handles.some((one) => one.code === code);
    const input: AdvisedCall['input'] = check === undefined ? {} : { only: [check] };
    return isFor ? (commandFor(kernel, { operation: 'plan-recovery', input }) ?? []) : [];
  });
  return [...new Set(commands)];
}

/** A call as people type it; nothing where it would be refused as it stands. */
export function commandFor(
  { operations }: Pick<Kernel, 'operations'>,
  { operation: name, input }: AdvisedCall,
): string | undefined {
  // People see a plan and are asked about it in one.
  if (name === 'plan-recovery') return `argus fix${filterArguments(input)}`;
  const command = commandsOf({ operations }).find(({ operation }) => operation.name === name);
  if (!command) return undefined;
  const needed = command.fields.filter(
    (field) =>
      field.placement?.at !== 'after-dashes' &&
      (isPositional(field) || field.required || isNamed(field, input)),
  );
  const words = needed.map((field) => wordsFor(field, input[field.key]));
  // What would be refused as it stands helps nobody.
  if (words.includes(undefined)) return undefined;
  return ['argus', command.name, ...words.flatMap((one) => one ?? [])].join(' ');
}

/** A problem that names a run is one of that run and not of the one that is meant without it; so it is with a service. */
function isNamed({ key }: InputField, input: AdvisedCall['input']): boolean {
  return (key === 'run' || key === 'service' || key === 'circuit') && typeof input[key] === 'string';
}

/** An input as it is typed: for an argument that is not known a placeholder, for an option nothing. */
function wordsFor(field: InputField, told: Json | undefined): string[] | undefined {
  const values = (Array.isArray(told) ? told : [told]).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  const written = values.map((value) => shellWord(String(value)));
  if (isPositional(field))
    return written[0] === undefined && !field.required ? [] : [written[0] ?? placeholder(field)];
  return written.length === 0 ? undefined : written.map((value) => `--${field.option} ${value}`);
}

/** A plan is made for a part of the environment, and only for the same part is it the same plan. */
export function filterArguments(input: Input): string {
  const filter = (['only', 'skip'] as const).flatMap((key) =>
    Array.isArray(input[key]) ? input[key].map((name) => ` --${key} ${shellWord(String(name))}`) : [],
  );
  return filter.join('');
}
