import { containerTable } from './restart/containers.mjs';
import { processTable } from './restart/processes.mjs';

/** How long it takes from the death of a service until its replacement runs. */
export default {
  title: 'Restarts',
  about:
    'A service dies, and somebody starts it again; nobody is told to wait before that. argus guards it with `argus setup --guard`. A container counts from its end to its next start, by the times of the engine; Docker has its own `--restart on-failure`. A process counts from its end to a word from the next one, which takes a start of Node in every row; the floor is a parent that is told of the end and starts it again.',
  needsEngine: true,
  prepare: async (context) => ({
    tables: [await processTable(context), await containerTable(context)],
  }),
};
