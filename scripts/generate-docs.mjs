import { join, resolve } from 'node:path';
import { docsProject } from './steps/docs-project.mjs';
import { errorPages } from './steps/error-pages.mjs';
import { explainedCodes } from './steps/explained-codes.mjs';
import { showFailure } from './steps/failure.mjs';
import { prepare } from './steps/prepare.mjs';
import { referencePages } from './steps/reference-pages.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';
import { writePages } from './steps/write-pages.mjs';

// Writes every page that is made from what was built, into docs or the folder that is named. For docs what changed is built
// first; pages elsewhere are there to be compared with what is built already.
const [named] = process.argv.slice(2);
if (named === undefined) {
  const failures = await prepare(workspaceRoot);
  failures.forEach(showFailure);
  if (failures.length > 0) process.exit(1);
}
const project = docsProject(workspaceRoot);
try {
  const folder = resolve(named ?? join(workspaceRoot, 'docs'));
  const errors = errorPages(await explainedCodes(workspaceRoot));
  const reference = await referencePages(workspaceRoot, project.folder);
  writePages(join(folder, 'errors'), errors);
  writePages(join(folder, 'reference'), reference);
  say(`${errors.size + reference.size} pages are in ${folder}`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  project.remove();
}
