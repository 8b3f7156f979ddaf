import { definePlugin } from '@argusai/core';
import { servicesChecker } from './checkers/services.js';
import { processCrashLoop, processUnkept } from './error-codes.js';
import { options } from './options.js';
import { ProcessRecords } from './records/process-records.js';
import { createProcessRuntime } from './runtime/process-runtime.js';
import { baseFolder } from './system/base-folder.js';
import { MarkedServices } from './system/marked-services.js';

export { processCrashLoop, processUnkept } from './error-codes.js';

/** Runs services that are commands, and mocks that are routes, as processes of this machine. */
export default definePlugin({
  name: 'process',
  options,
  apply(
    { hooks, config, project, store, clock, runtimes, events, redactor, env },
    { dir, outputSize, outputFiles, crashes, crashWindow },
  ) {
    const records = new ProcessRecords(store, () => baseFolder(dir, config, project, env));
    const output = { size: outputSize, files: outputFiles };
    const { diskSpaceThreshold } = config.resilience.preflight;
    hooks.errorCodes.tap('process', (codes) => {
      for (const code of [processCrashLoop, processUnkept]) codes.add(code);
    });
    const marked = new MarkedServices(clock);
    const runtime = { records, clock, output, diskSpaceThreshold, marked, folder: project.dir };
    hooks.runtimes.tap('process', (all) => all.add(createProcessRuntime(runtime)));
    const parts = { records, config, store, clock, runtimes, events, redactor };
    hooks.checkers.tap('process', (checkers) =>
      checkers.add(servicesChecker(parts, { crashes, windowMs: crashWindow })),
    );
  },
});
