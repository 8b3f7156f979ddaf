import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Answers } from './answers.js';
import { manifestOf } from './manifest.js';

/** The files of a new plugin, by their path in its folder. */
export function pluginFiles(
  answers: Answers,
  { template, coreVersion, year }: { template: string; coreVersion: string; year: number },
): Map<string, string> {
  const { name, description, author } = answers;
  const words: Record<string, string> = {
    __name__: name.plugin,
    __package__: name.package,
    __CODE__: name.code,
    __description__: description,
    __author__: author,
    __year__: String(year),
  };
  const filled = (text: string) =>
    text.replace(/__(?:name|package|CODE|description|author|year)__/g, (word) => words[word] ?? word);
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map([
    ['package.json', `${JSON.stringify(manifestOf(answers, coreVersion), null, 2)}\n`],
    // npm leaves a file of this name out of what it publishes, so it cannot lie in the template.
    ['.gitignore', 'node_modules/\ndist/\n*.tgz\n'],
    ...files.map((file): [string, string] => [relative(template, file), filled(readFileSync(file, 'utf8'))]),
  ]);
}
