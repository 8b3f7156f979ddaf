import type { DraftService } from './draft.js';
import type { Fitting } from './fit-config.js';
import { yamlText } from './yaml-text.js';

/** Where the schema for editors is kept, seen from the configuration. */
export const schemaFile = '.argus/schema.json';

/** What is shown where there is nothing to go by. */
const example = `project:
  name: my-project
services: # an image, a build, or a plain command; argus setup brings them up
  db:
    image: postgres:16
    ports: ["5432:5432"] # moved if somebody else has it
    environment: { POSTGRES_PASSWORD: only-for-tests }
    healthcheck: { command: pg_isready -U postgres }
  api:
    command: node server.js
    ports: ["8080:8080"]
    healthcheck: { http: /health }
    dependsOn: [db]
tests:
  suites: # argus run brings the services up, runs these, and takes everything down
    - { id: smoke, command: npm test }
`;

const policy = `What argus may do by itself: observe, cautious, moderate or full.
policy:
  autonomy: moderate
`;

/** The text of a configuration, with comments that say where it comes from and what is not in it. */
export async function configText(
  fitting: Fitting,
  files: readonly string[],
  hasSchema: boolean,
): Promise<string> {
  const { project, services, suites, sections, notes } = fitting;
  const schema = hasSchema ? comment(`yaml-language-server: $schema=./${schemaFile}`) : '';
  const written = services.filter(({ isSuggestion }) => !isSuggestion);
  const suggested = services.filter(({ isSuggestion }) => isSuggestion);
  const blocks = [
    `${schema}${opening(files)}${notes.map(comment).join('')}`,
    written.length + suites.length === 0 ? commented(example) : '',
    files.length === 0 || project === undefined ? '' : await yamlText({ project: { name: project } }),
    await servicesText(written),
    ...(await Promise.all(suggested.map(suggestionText))),
    suites.length === 0 ? '' : await yamlText({ tests: { suites } }),
    ...(await Promise.all(Object.entries(sections).map(([key, section]) => yamlText({ [key]: section })))),
    'policy' in sections ? '' : commented(policy),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

function opening(files: readonly string[]): string {
  if (files.length === 0) return comment('Nothing was found to make this from. An example, to be filled in:');
  return comment(`Made by argus init from ${files.join(', ')}. argus check looks whether all is well.`);
}

async function servicesText(services: readonly DraftService[]): Promise<string> {
  if (services.length === 0) return '';
  const texts = await Promise.all(
    services.map(async ({ name, spec, notes, from }) => {
      const remarks = [`from ${from}`, ...notes].map(comment).join('');
      return indented(`${remarks}${await yamlText({ [name]: spec })}`);
    }),
  );
  return `services:\n${texts.join('\n')}`;
}

async function suggestionText({ name, spec, notes, from }: DraftService): Promise<string> {
  const remark = `${from} could be a service, too; then this belongs to services:`;
  return [comment(remark), commented(await yamlText({ [name]: spec })), ...notes.map(comment)].join('');
}

/** A text from anywhere as one comment: nothing in it may begin a line of its own. */
function comment(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the comment, or the file for some readers.
  return `# ${text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+/g, ' ').trim()}\n`;
}

function commented(text: string): string {
  return text.replace(/^(?=.)/gm, '# ');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
