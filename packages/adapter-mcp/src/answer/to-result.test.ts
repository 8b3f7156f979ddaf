import { ArgusError, type HealthReport, usageInvalid } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.js';
import { cut } from './cut.js';
import { fittingResult, toResult } from './to-result.js';

const problem = (message: string, details = {}) => new ArgusError(usageInvalid, { message, details }).error;

function textOf({ content }: ReturnType<typeof toResult>): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** A report with as many warnings as are asked for, after something that could not be looked at. */
function report(warnings: number): HealthReport {
  const warning = (index: number) => ({
    name: 'orphans.docker',
    target: `container-${index}`,
    status: 'warn',
    duration: 1,
    message: `The container argus-shop-${index} was left by a run that is over ${'x'.repeat(200)}`,
  });
  const blind = { name: 'disk.space', status: 'unknown', message: 'nobody answers', duration: 1 };
  const checks = [blind, ...Array.from({ length: warnings }, (_, index) => warning(index))];
  return { overall: 'degraded', checks } as unknown as HealthReport;
}

describe('the text of an error', () => {
  it('is a line to act on, and then everything else that the data says', () => {
    const error = problem('The build\nhas failed', { lines: ['no  such file'] });
    const notices = [problem('State was lost', { file: 'state.db' })];
    const next = { tool: 'argus_logs', arguments: { service: 'a  b' } };
    expect(textOf(toResult('argus_build', { ok: false, error, notices, next })).split('\n')).toEqual([
      'USAGE_INVALID: The build has failed. Next: call argus_logs {"service":"a  b"}.',
      'Notice USAGE_INVALID: State was lost.',
      '<untrusted>',
      '{"lines":["no  such file"]}',
      'notice USAGE_INVALID: {"file":"state.db"}',
      '</untrusted>',
    ]);
  });

  it('says what a person can do, on a line of its own', () => {
    const next = { tool: 'argus_explain', arguments: { name: 'USAGE_INVALID' } };
    const answer = { ok: false, error: problem('No', { a: 1 }), next, remedy: 'Start it,\n or leave it out' };
    expect(textOf(toResult('argus_build', answer)).split('\n')).toEqual([
      'USAGE_INVALID: No. Next: call argus_explain {"name":"USAGE_INVALID"}.',
      'What a person can do: Start it, or leave it out.',
      '<untrusted>',
      '{"a":1}',
      '</untrusted>',
    ]);
    const found = { ok: true, data: { lines: [] }, remedy: 'Start it.' };
    expect(textOf(toResult('argus_logs', found)).split('\n')).toEqual([
      'Lines: 0.',
      'What a person can do: Start it.',
      '<untrusted>',
      '{"lines":[]}',
      '</untrusted>',
    ]);
  });

  it('is one line where there is no more to say', () => {
    expect(textOf(toResult('argus_build', { ok: false, error: problem('No') }))).toBe('USAGE_INVALID: No.');
  });
});

describe('the text of an answer', () => {
  it('says first how much there is, also where that is nothing', () => {
    const first = (tool: string, data: object) => textOf(toResult(tool, { ok: true, data })).split('\n')[0];
    expect(first('argus_logs', { lines: [] })).toBe('Lines: 0.');
    expect(first('argus_logs', { lines: [{ text: 'a' }, { text: 'b' }] })).toBe('Lines: 2.');
    expect(first('argus_incidents', { incidents: [{}] })).toBe('Incidents: 1.');
    expect(first('argus_build', { images: [] })).toBe('There was no image to build.');
    expect(first('argus_build', { images: [{ service: 'api', image: 'shop/api:dev' }] })).toBe(
      'Built: api shop/api:dev.',
    );
  });

  it('says first what was asked for, as far as it fits a line', () => {
    const first = (tool: string, data: object) => textOf(toResult(tool, { ok: true, data })).split('\n')[0];
    const config = { project: {}, services: {} };
    expect(first('argus_config', { file: '/shop/argus.config.yaml', config })).toBe(
      'Of /shop/argus.config.yaml: project, services.',
    );
    expect(first('argus_config', { file: null, config })).toBe(
      'There is no file, so these are defaults: project, services.',
    );
    expect(first('argus_schema', { properties: { services: {} } })).toBe('Sections: services.');
    expect(first('argus_explain', { kind: 'codes', codes: [{}, {}] })).toBe('Codes: 2.');
    const code = { kind: 'code', code: 'TAP_LEAKS', summary: 'A tap leaks' };
    expect(first('argus_explain', code)).toBe('TAP_LEAKS: A tap leaks.');
    expect(first('argus_explain', { ...code, remedy: 'Close it.' })).toBe(
      'TAP_LEAKS: A tap leaks. Close it.',
    );
    expect(first('argus_explain', { kind: 'recoverer', name: 'tap.close', description: 'Closes it' })).toBe(
      'tap.close, recoverer: Closes it.',
    );
    expect(first('argus_explain', { kind: 'checker', name: 'tap.leaks' })).toBe(
      'tap.leaks, checker: no more is said of it.',
    );
  });

  it('does not say that something was done where nothing was', () => {
    const first = (tool: string, data: object) => textOf(toResult(tool, { ok: true, data })).split('\n')[0];
    const step = { action: 'close', target: 'tap:kitchen' };
    const plan = { hash: 'abc', steps: [step], unhandled: [] };
    const refusal = { rule: 'autonomy', reason: 'autonomy: it cannot be undone' };
    const report = { steps: [{ ...step, outcome: 'refused', refusal }], after: { overall: 'degraded' } };
    const fixed = (data: object) => first('argus_fix', { plan, report: null, stopped: null, ...data });
    expect(fixed({ report })).toBe(
      'close tap:kitchen refused (autonomy: it cannot be undone). Now degraded.',
    );
    expect(fixed({ stopped: 'only-planned' })).toBe('Nothing was done. 1 steps: close tap:kitchen.');
    expect(fixed({ stopped: 'nobody-to-ask' })).toMatch(/^Nothing was done: nobody could be asked\. 1 steps/);
    expect(fixed({ stopped: 'declined' })).toMatch(/^Nothing was done: it was not agreed to\. 1 steps/);
    const none = { hash: null, steps: [], unhandled: [] };
    expect(fixed({ stopped: 'nothing-to-do', plan: none })).toBe('There is nothing to repair.');
    const cleaned = (data: object) =>
      first('argus_clean_foreign', { dryRun: false, removed: [], failed: [], refused: [], ...data });
    expect(cleaned({ refused: [{ name: 'old', reason: 'it is too young' }] })).toBe(
      'Removed 0; 0 could not be removed. Refused: old (it is too young).',
    );
    expect(cleaned({ dryRun: true, removed: [{}] })).toBe('Would remove 1; 0 could not be removed.');
    const written = { file: '/shop/argus.config.yaml', written: true };
    expect(first('argus_init', written)).toBe('Wrote /shop/argus.config.yaml.');
    expect(first('argus_init', { ...written, written: false })).toBe('Would write /shop/argus.config.yaml.');
  });
});

describe('an answer that fits', () => {
  const sizes = (answer: Answer, tool = 'argus_preflight_check') => {
    const { result } = fittingResult(tool, answer, 'ask for less');
    const data = JSON.stringify(result.structuredContent);
    return { text: textOf(result), bytes: [textOf(result), data].map((one) => Buffer.byteLength(one)) };
  };

  it('keeps text and data below the limit, whatever both repeat', () => {
    for (const warnings of [20, 40, 50, 60, 400]) {
      const { bytes } = sizes({ ok: true, data: report(warnings) });
      for (const one of bytes) expect(one).toBeLessThanOrEqual(20_000);
    }
  });

  it('tells the worst findings first and how many more there are, also of what was cut', () => {
    const { text } = sizes({ ok: true, data: report(400) });
    const [line = ''] = text.split('\n');
    expect(line).toMatch(/^degraded: warn \(orphans\.docker container-0\): .*; and 396 more\.$/);
    expect(line.split('; ')).toHaveLength(6);
  });

  it('fits also where the error is long in every part of it', () => {
    const long = 'ü'.repeat(20_000);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, 'a value']));
    const error = problem(long, many);
    const notices = Array.from({ length: 5 }, () => problem(long, many));
    const next = { tool: 'argus_clean_foreign', arguments: many };
    const { bytes, text } = sizes({
      ok: false,
      error,
      notices,
      next,
      escalate: true,
      human: long,
      remedy: long,
    });
    for (const one of bytes) expect(one).toBeLessThanOrEqual(20_000);
    expect(text).toContain('ask for less');
  });

  it('never gives a shorter call as the next one', () => {
    const names = Array.from({ length: 300 }, (_, index) => `container-${index}`);
    const next = { tool: 'argus_clean_foreign', arguments: { names, confirm: true } };
    const answer = { ok: false, error: problem('No', { lines: names.map((one) => one.repeat(20)) }), next };
    expect(cut(answer, 'ask').next).toEqual(next);
  });
});
