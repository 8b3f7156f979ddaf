import { join, resolve } from 'node:path';
import { apiReports } from './steps/api-reports.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';
import { writePages } from './steps/write-pages.mjs';

// Writes what can be imported from each package that was built, into docs/api or the folder that is named.
try {
  const folder = resolve(process.argv[2] ?? join(workspaceRoot, 'docs', 'api'));
  const reports = apiReports(workspaceRoot);
  writePages(folder, reports);
  say(`${reports.size} reports are in ${folder}`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
