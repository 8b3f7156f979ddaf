import { basename, join } from 'node:path';
import { chooseServices } from './choose-services.js';
import { configText, schemaFile } from './config-text.js';
import type { Draft, Source } from './draft.js';
import { existingConfig } from './existing-config.js';
import { fitConfig } from './fit-config.js';
import { notesOnFolder } from './notes-on-folder.js';
import { readDrafts } from './read-drafts.js';
import { readManifest } from './read-manifest.js';
import { type SchemaState, schemaState } from './schema-state.js';
import { alreadyThere, writeConfig } from './write-config.js';

/** What is missing where no service was found: a check cannot know yet what the project needs. */
const nothingToStart =
  'nothing says what to start: name it under services; until then argus check asks for Docker, which most need';

/** What came of it. */
export interface InitResult {
  /** The configuration, with its folder. */
  readonly file: string;
  /** The schema for editors, with its folder. */
  readonly schema: string;
  /** Whether it is new, an older one of argus that is renewed, or somebody else's that is kept. */
  readonly schemaState: SchemaState;
  readonly written: boolean;
  readonly found: Source[];
  readonly services: { readonly name: string; readonly from: string }[];
  readonly suites: string[];
  readonly notes: string[];
  /** What would be written, when it was not. */
  readonly text?: string;
}

/** Looks at a folder, makes a configuration of what is there, and writes it unless there is one. */
export async function initProject(dir: string, schema: object, dryRun: boolean): Promise<InitResult> {
  const manifest = readManifest(dir);
  const existing = existingConfig(dir, manifest);
  if (existing !== undefined) throw alreadyThere(existing);

  const drafts = await readDrafts(dir, manifest);
  const found = drafts.filter((draft) => !draft.isUnread && saysSomething(draft)).map(({ source }) => source);
  const fitted = fitConfig({
    project: drafts.find(({ project }) => project !== undefined)?.project ?? (basename(dir) || 'root'),
    services: chooseServices(drafts),
    suites: drafts.flatMap(({ suites }) => suites),
    sections: drafts.find(({ sections }) => sections !== undefined)?.sections ?? {},
    notes: [...drafts.flatMap(({ notes }) => notes), ...notesOnFolder(dir, found)],
  });
  const services = fitted.services.filter(({ isSuggestion }) => !isSuggestion);
  const complete = services.length > 0 ? fitted : { ...fitted, notes: [...fitted.notes, nothingToStart] };
  const files = found.map(({ file }) => file);
  // Where nothing was found, the file is an example and says so.
  const schemaPath = join(dir, schemaFile);
  const state = schemaState(schemaPath, schema);
  const text = await configText(files.length === 0 ? fitted : complete, files, state !== 'kept');

  const file = join(dir, 'argus.config.yaml');
  const schemaText = state === 'kept' ? undefined : `${JSON.stringify(schema, null, 2)}\n`;
  if (!dryRun) writeConfig({ file, text }, { file: schemaPath, text: schemaText });
  return {
    file,
    schema: schemaPath,
    schemaState: state,
    written: !dryRun,
    found,
    services: services.map(({ name, from }) => ({ name, from })),
    suites: fitted.suites.map(({ id }) => id),
    notes: [
      ...complete.notes,
      ...services.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
    ],
    ...(dryRun ? { text } : {}),
  };
}

function saysSomething({ services, suites, sections = {}, notes }: Draft): boolean {
  return services.length + suites.length + Object.keys(sections).length + notes.length > 0;
}
