import { statusCounts } from '../rendering/health/status-counts.js';
import { took } from '../rendering/text/took.js';
import { configurationPlace } from './configuration-place.js';
import { findingSentence } from './finding-sentence.js';
import { findingTitle } from './finding-title.js';
import type { Finding, Findings } from './findings.js';
import { githubSummary } from './github-summary.js';
import type { FormatScene, WrittenResult } from './program-format.js';
import { workflowCommand } from './workflow-command.js';

/**
 * What GitHub Actions shows beside a run, and a page for its summary. What makes the step fail is an error, so also what
 * could not be told; what does not is a warning.
 */
export function githubResult(findings: Findings, { env }: FormatScene): WrittenResult {
  const { overall, all, notices, repairs, duration } = findings;
  const verdict = `${statusCounts(all)} in ${took(duration)}`;
  const [only] = all;
  const text = [
    ...all.flatMap(annotation),
    ...notices.map(({ code, message }) => workflowCommand('warning', { title: code }, message)),
    ...repairs.map((repair) => workflowCommand('notice', { title: 'argus repair' }, repair)),
    ...(overall === undefined
      ? []
      : [workflowCommand('notice', { title: 'argus' }, `${overall}: ${verdict}`)]),
  ].join('');
  const file = env.GITHUB_STEP_SUMMARY;
  if (!file) return { text };
  const page = githubSummary(findings, overall === undefined ? (only?.message ?? '') : verdict);
  return { text, addition: { file, text: page } };
}

function annotation(finding: Finding): string[] {
  const { countsAs, code, message, details, problems, next } = finding;
  if (countsAs === 'pass' || countsAs === 'skipped') return [];
  const lines = [
    code === undefined ? message : findingSentence(finding),
    ...problems,
    ...next.map((step) => `next: ${step}`),
  ];
  const name = countsAs === 'warn' ? 'warning' : 'error';
  return [
    workflowCommand(
      name,
      { ...configurationPlace(details), title: code ?? findingTitle(finding) },
      lines.join('\n'),
    ),
  ];
}
