import type { CommandLine } from './command-line.js';
import { type PluginName, parseName } from './plugin-name.js';
import { Refusal } from './refusal.js';

/** Everything that has to be known to write a plugin. */
export interface Answers {
  readonly name: PluginName;
  readonly description: string;
  readonly author: string;
  /** The folder in which its folder is made. */
  readonly dir: string;
}

/** Asks the person at the terminal; the answer is empty for whoever only presses return. */
export type Ask = (question: string) => Promise<string>;

/** Puts together what was given and what is asked for; without anybody to ask, what is not given has its default. */
export async function gatherAnswers(
  given: CommandLine,
  ask: Ask | undefined,
  tell: (line: string) => void,
): Promise<Answers> {
  const name = await nameOf(given, ask, tell);
  const line = async (value: string | undefined, question: string, usual: string) => {
    const answer = value ?? (ask && !given.yes ? await ask(`${question} (${usual}): `) : '');
    return oneLine(answer) || usual;
  };
  return {
    name,
    description: await line(given.description, 'What is it for, in one line?', `Argus plugin ${name.plugin}`),
    author: await line(given.author, 'Who writes it?', `the authors of ${name.folder}`),
    dir: given.dir ?? '.',
  };
}

async function nameOf(
  { name, yes }: CommandLine,
  ask: Ask | undefined,
  tell: (line: string) => void,
): Promise<PluginName> {
  if (name !== undefined) return parseName(name);
  if (ask === undefined || yes) {
    throw new Refusal('The name of the plugin is missing', 'Give it with --name message-queue.');
  }
  for (;;) {
    const answer = await ask('What is the plugin called? (message-queue, @team/message-queue): ');
    try {
      return parseName(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      tell(`${error.message}. ${error.remedy}`);
    }
  }
}

/** It stands in files of one line each. */
function oneLine(text: string): string {
  const trimmed = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(trimmed)) {
    throw new Refusal(`${JSON.stringify(trimmed)} is more than a line of text`, 'Write it in one line.');
  }
  return trimmed;
}
