import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorPages } from './steps/error-pages.mjs';
import { explainedCodes } from './steps/explained-codes.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

// Writes one page for each error code that was built, into docs/errors or the folder that is named.
try {
  const folder = resolve(process.argv[2] ?? join(workspaceRoot, 'docs', 'errors'));
  const pages = errorPages(await explainedCodes(workspaceRoot));
  mkdirSync(folder, { recursive: true });
  const gone = readdirSync(folder).filter((name) => name.endsWith('.md') && !pages.has(name));
  for (const name of gone) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  say(`${pages.size} pages are in ${folder}`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
