import { clean } from '../operations/clean.js';
import { explain } from '../operations/explain.js';
import { logs } from '../operations/logs.js';
import { plugins } from '../operations/plugins.js';
import { schema } from '../operations/schema.js';
import { status } from '../operations/status.js';
import { type OpenOptions, type OpenProject, openArgus } from './open-argus.js';
import { openPassingOver } from './open-passing-over.js';
import { openRecorded } from './open-recorded.js';

/** The operations that do with what is recorded where the configuration cannot be used. */
const fromRecord = [status, logs, clean]
  .filter(({ needsConfig }) => needsConfig === 'or-record')
  .map(({ name }) => name);

/** Those that help to mend it. */
const fromPlugins = [schema, explain, plugins]
  .filter(({ needsConfig }) => needsConfig === 'or-plugins')
  .map(({ name }) => name);

/** Opens a project for an operation: with its configuration, or for what can do without it with what is recorded or loaded. */
export async function openForOperation(operation: string, options: OpenOptions): Promise<OpenProject> {
  try {
    return await openArgus(options);
  } catch (thrown) {
    if (fromRecord.includes(operation)) return openRecorded(options, thrown);
    if (fromPlugins.includes(operation)) return openPassingOver(options, thrown);
    throw thrown;
  }
}
