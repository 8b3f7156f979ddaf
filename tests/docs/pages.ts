import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../support/run-command.js';

/** Every page for people, from the top of the repository. */
export const allPages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...pagesBelow('docs'),
  ...pagesBelow('packages', /^[^/]+\/README\.md$/),
  ...pagesBelow('examples', /^[^/]+\/README\.md$/),
];

/** The pages that `npm run docs` and `npm run api` write. */
export function isGenerated(page: string): boolean {
  return /^docs\/(api|errors|reference)\//.test(page);
}

/** The text of a page. */
export function textOf(page: string): string {
  return readFileSync(join(repository, page), 'utf8');
}

function pagesBelow(folder: string, pattern = /\.md$/): string[] {
  const names = folder === 'docs' ? filesBelow(folder) : readmesBelow(folder);
  return names
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
}

/** Not everything below: packages have thousands of files that are not ours. */
function readmesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder)).flatMap((name) =>
    readdirSync(join(repository, folder, name)).map((file) => `${name}/${file}`),
  );
}
