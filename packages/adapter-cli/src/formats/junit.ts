import { dataLines } from '../rendering/text/data.js';
import { paint } from '../rendering/text/line.js';
import { findingTitle } from './finding-title.js';
import { argusItself, type Finding, type Findings } from './findings.js';
import type { WrittenResult } from './program-format.js';
import { type XmlElement, xmlDocument } from './xml.js';

/**
 * The test results that GitHub, GitLab and Jenkins read: a suite for each plugin, a test for each thing that was looked at.
 * A warning is a test that passes and has something to say, unless `--fail-on warn` makes a failure of it.
 */
export function junitResult({ project, all, notices, timestamp, duration }: Findings): WrittenResult {
  const tests = [...all, ...notices.map(asTest)];
  const started = startOf(timestamp);
  const suites = [...new Set(tests.map(({ plugin }) => plugin))].map((plugin): XmlElement => {
    const own = tests.filter((test) => test.plugin === plugin);
    const attributes = { name: plugin, ...countsOf(own), time: seconds(timeOf(own)), timestamp: started };
    return { name: 'testsuite', attributes, content: own.map(testCase) };
  });
  const attributes = {
    name: project === undefined ? 'argus' : `argus ${project}`,
    ...countsOf(tests),
    time: seconds(duration),
    timestamp: started,
  };
  return { text: xmlDocument({ name: 'testsuites', attributes, content: suites }) };
}

/** Reports show tests and little else. So what went wrong beside the checks is one that passes, as the exit code says. */
function asTest({ code, message }: Findings['notices'][number]): Finding {
  const status = 'pass';
  return {
    check: argusItself,
    target: code,
    plugin: argusItself,
    status,
    countsAs: status,
    code,
    message,
    details: {},
    problems: [],
    next: [],
    repairs: [],
    duration: 0,
  };
}

function countsOf(tests: readonly Finding[]) {
  const count = (status: Finding['countsAs']) => tests.filter(({ countsAs }) => countsAs === status).length;
  return {
    tests: tests.length,
    failures: count('fail'),
    errors: count('unknown'),
    skipped: count('skipped'),
  };
}

/** Everything that one check looked at took the same time, so that is counted once. */
function timeOf(tests: readonly Finding[]): number {
  const times = new Map(tests.map(({ check, duration }) => [check, duration]));
  return [...times.values()].reduce((sum, time) => sum + time, 0);
}

function testCase(test: Finding): XmlElement {
  const attributes = { classname: test.plugin, name: findingTitle(test), time: seconds(test.duration) };
  return { name: 'testcase', attributes, content: [...verdictOf(test), ...outputOf(test)] };
}

function verdictOf(test: Finding): XmlElement[] {
  const { countsAs, message, code } = test;
  const problem = (name: string): XmlElement[] => [
    { name, attributes: { message, type: code ?? countsAs }, content: explain(test) },
  ];
  switch (countsAs) {
    case 'fail':
      return problem('failure');
    case 'unknown':
      return problem('error');
    case 'skipped':
      return [{ name: 'skipped', attributes: { message } }];
    default:
      return [];
  }
}

/** What a test that passes has to say, and what was repaired. */
function outputOf(test: Finding): XmlElement[] {
  const isRemark = test.countsAs === 'warn' || (test.countsAs === 'pass' && test.code !== undefined);
  const repairs = test.repairs.map((repair) => `repair: ${repair}`);
  const lines = [...(isRemark ? [explain(test)] : []), ...repairs];
  return lines.length === 0 ? [] : [{ name: 'system-out', attributes: {}, content: lines.join('\n') }];
}

/** All there is to say: some readers show this text and not the message beside it. */
function explain({ message, code, details, problems, next }: Finding): string {
  const facts =
    Object.keys(details).length === 0 ? '' : paint(dataLines(details), { color: false }).trimEnd();
  const lines = [
    message,
    code === undefined ? '' : `code: ${code}`,
    ...(problems.length > 0 ? problems : [facts]),
    ...next.map((step) => `next: ${step}`),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** In UTC and without saying so: some readers refuse a time zone or parts of a second. */
function startOf(timestamp: number): string {
  return new Date(timestamp).toISOString().slice(0, 19);
}
