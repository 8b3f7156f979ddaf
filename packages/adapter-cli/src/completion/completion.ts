import type { OpenProject } from '@argusai/core';
import type { InputField } from '../command-line/input-fields.js';
import { parseInput } from '../command-line/parse-input.js';
import { unknownWord, usageError } from '../command-line/usage-error.js';
import type { Known } from '../known-without-code.js';
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

/** What may be asked, without running anything of the project. */
export interface Sources {
  readonly known: () => Promise<Pick<Known, 'kernel'>>;
  readonly project: () => Promise<OpenProject>;
}

/** Answers `argus completion`: with the script of a shell, or with the names that such a script asks for. */
export async function completion(rest: readonly string[], sources: Sources): Promise<Outcome> {
  const asksForNames = rest.some((argument) => /^--words(=|$)/.test(argument));
  const fields = [words, { ...shell, required: !asksForNames }];
  if (rest.length === 0) throw usageError(`argus completion needs a shell: ${shells.join(', ')}`, own);
  const input = parseInput('completion', fields, rest);
  return asksForNames
    ? await tellNames(choice(words, input.words) as NameKind, sources)
    : await tellScript(choice(shell, input.shell) as Shell, sources);
}

const own = { command: 'completion' };

function choice({ key, choices = [] }: InputField, value: unknown): string {
  const word = String(value);
  if (choices.includes(word)) return word;
  const sentence = key === 'shell' ? `There is no completion for ${word}` : `--${key} cannot be ${word}`;
  throw unknownWord(sentence, { word, known: choices, ...own });
}

/** The script has the commands that come along: a shell asks for it whenever it begins, wherever that is. */
async function tellScript(name: Shell, { known }: Sources): Promise<Outcome> {
  const { kernel } = await known();
  const script = scripts[name](completedOf(kernel));
  return answer(script, { shell: name, script });
}

async function tellNames(kind: NameKind, sources: Sources): Promise<Outcome> {
  const names = await projectNames(kind, sources);
  return answer(names.map((name) => `${name}\n`).join(''), { words: names });
}

async function projectNames(kind: NameKind, { project }: Sources): Promise<string[]> {
  try {
    const { kernel, close } = await project();
    const names = await namesOf(kernel, kind);
    await close();
    return names;
  } catch {
    // Whoever presses a key for completion has asked nothing: without a project there is nothing to offer.
    return [];
  }
}
