import { relative, resolve } from 'node:path';
import { type Ask, gatherAnswers } from './answers.js';
import { help, parseCommandLine } from './command-line.js';
import { pluginFiles } from './plugin-files.js';
import { Refusal } from './refusal.js';
import { writeFolder } from './write-folder.js';

/** What the program needs of the world. */
export interface World {
  readonly cwd: string;
  /** Nobody sits at the terminal when there is none. */
  readonly ask?: Ask;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The folder of the template. */
  readonly template: string;
  /** The version of `@argusai/core` that the plugin is written for. */
  readonly coreVersion: string;
  /** The version of this program. */
  readonly version: string;
  readonly year: number;
}

/** From the command line to the written plugin. Gives the exit code. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  const { cwd, ask, out, err } = world;
  try {
    const given = parseCommandLine(argv);
    if (given.help) return said(out, help);
    if (given.version) return said(out, `${world.version}\n`);
    const answers = await gatherAnswers(given, ask, (line) => err(`${line}\n`));
    const folder = resolve(cwd, answers.dir, answers.name.folder);
    const files = pluginFiles(answers, world);
    writeFolder(folder, files);
    return said(out, success(relative(cwd, folder) || '.', [...files.keys()], answers.name.package));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    err(`${error.message}.\n${error.remedy}\n`);
    return error.exitCode;
  }
}

function said(out: World['out'], text: string): number {
  out(text);
  return 0;
}

function success(folder: string, files: readonly string[], name: string): string {
  const quoted = /^[\w./@-]+$/.test(folder) ? folder : JSON.stringify(folder);
  return `${name} is in ${folder}:

${[...files]
  .sort()
  .map((file) => `    ${file}\n`)
  .join('')}
Try it:

    cd ${quoted}
    npm install
    npm test

Then make the checker look at what you care about: src/checkers/settings.ts. To use it, npm run build, npm install the folder
in a project, and name it in the configuration: plugins: ["${name}"]. To give it to others: npm publish.
`;
}
