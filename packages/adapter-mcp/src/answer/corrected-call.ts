import { nearest, type Operation, type StructuredError, usageInvalid } from '@argusai/core';
import { effectsOf } from '../tools/json-schema.js';
import { toolName } from '../tools/tool-name.js';
import type { NextStep } from './answer.js';

type Input = Readonly<Record<string, unknown>>;

/**
 * The same call with the name that was meant in the place of one that there is not, where that is clear: it is the nearest, or the
 * only one there is. What cannot be taken back is not guessed.
 */
export function correctedCall(
  operation: Operation,
  input: Input,
  { code, details }: StructuredError,
): NextStep | undefined {
  const { known, suggestion: _, ...told } = details;
  if (code !== usageInvalid.code || !Array.isArray(known)) return undefined;
  const names = known.filter((one) => typeof one === 'string');
  const wrong = Object.values(told).find((one) => typeof one === 'string' && !names.includes(one));
  const meant = typeof wrong === 'string' ? meantBy(wrong, names) : undefined;
  const key = Object.keys(input).find((one) => [input[one]].flat().includes(wrong));
  if (meant === undefined || key === undefined) return undefined;
  const replaced = (value: unknown) => (value === wrong ? meant : value);
  const value = input[key];
  const mended = { ...input, [key]: Array.isArray(value) ? value.map(replaced) : replaced(value) };
  if (effectsOf(operation, mended).destructive) return undefined;
  return { tool: toolName(operation.name), arguments: mended };
}

function meantBy(wrong: string, [first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return others.length === 0 ? first : nearest(wrong, [first, ...others]);
}
