import type { OpenProject } from '@argusai/core';
import type { InputField } from '../command-line/input-fields.js';
import { parseInput } from '../command-line/parse-input.js';
import { unknownWord, usageError } from '../command-line/usage-error.js';
import { answer, type Outcome } from '../outcome.js';
import { bashScript } from './bash-script.js';
import { type Completed, completedOf } from './completed.js';
import { fishScript } from './fish-script.js';
import { allNameKinds, type NameKind } from './name-kind.js';
import { namesOf } from './names-of.js';
import { type Shell, shells } from './shell.js';
import { zshScript } from './zsh-script.js';

const scripts: Readonly<Record<Shell, (completed: Completed) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const text = { kind: 'text', many: false, required: false } as const;
const words: InputField = { ...text, key: 'words', option: 'words', choices: allNameKinds };
const shell: InputField = { ...text, key: 'shell', option: 'shell', choices: shells };

/** What can be opened: the project, or where that is broken the bare folder. */
export interface Openers {
  readonly project: () => Promise<OpenProject>;
  readonly folder: () => Promise<OpenProject>;
}

/** Answers `argus completion`: with the script of a shell, or with the names that such a script asks for. */
export async function completion(rest: readonly string[], open: Openers): Promise<Outcome> {
  const asksForNames = rest.some((argument) => /^--words(=|$)/.test(argument));
  const fields = [words, { ...shell, required: !asksForNames }];
  if (rest.length === 0) throw usageError(`argus completion needs a shell: ${shells.join(', ')}`, own);
  const input = parseInput('completion', fields, rest);
  return asksForNames
    ? await tellNames(choice(words, input.words) as NameKind, open)
    : await tellScript(choice(shell, input.shell) as Shell, open);
}

const own = { command: 'completion' };

function choice({ key, choices = [] }: InputField, value: unknown): string {
  const word = String(value);
  if (choices.includes(word)) return word;
  const sentence = key === 'shell' ? `There is no completion for ${word}` : `--${key} cannot be ${word}`;
  throw unknownWord(sentence, { word, known: choices, ...own });
}

/** The script has the commands of the project at hand; one that cannot be opened only costs those of its plugins. */
async function tellScript(name: Shell, open: Openers): Promise<Outcome> {
  const { kernel, close } = await open.project().catch(open.folder);
  const script = scripts[name](completedOf(kernel));
  await close();
  return answer(script, { shell: name, script });
}

async function tellNames(kind: NameKind, open: Openers): Promise<Outcome> {
  const names = await projectNames(kind, open);
  return answer(names.map((name) => `${name}\n`).join(''), { words: names });
}

async function projectNames(kind: NameKind, open: Openers): Promise<string[]> {
  try {
    const { kernel, close } = await open.project();
    const names = await namesOf(kernel, kind);
    await close();
    return names;
  } catch {
    // Whoever presses a key for completion has asked nothing: without a project there is nothing to offer.
    return [];
  }
}
