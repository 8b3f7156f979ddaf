import { clean } from '../operations/clean.js';
import { logs } from '../operations/logs.js';
import { status } from '../operations/status.js';
import { type OpenOptions, type OpenProject, openArgus } from './open-argus.js';
import { openRecorded } from './open-recorded.js';

/** The operations that do with what is recorded where the configuration cannot be used. */
const fromRecord = [status, logs, clean]
  .filter(({ needsConfig }) => needsConfig === 'or-record')
  .map(({ name }) => name);

/** Opens a project for an operation: with its configuration, or for what can do without it with what is recorded. */
export async function openForOperation(operation: string, options: OpenOptions): Promise<OpenProject> {
  try {
    return await openArgus(options);
  } catch (thrown) {
    if (!fromRecord.includes(operation)) throw thrown;
    return openRecorded(options, thrown);
  }
}
