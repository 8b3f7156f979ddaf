import { definePlugin } from '@argusai/core';
import { inodesChecker } from './checkers/inodes.js';
import { spaceChecker } from './checkers/space.js';
import { diskInodesLow } from './error-codes.js';
import { needsEngine } from './needs-engine.js';
import { options } from './options.js';
import { readEnvironment } from './system/environment.js';

export { diskInodesLow, diskSpaceLow } from './error-codes.js';

/** Looks after the disks: free space and free inodes. */
export default definePlugin({
  name: 'disk',
  options,
  apply({ hooks, config, env, circuits, optionsKey }, { threshold, inodes, paths }) {
    // Whoever knows the engine has a circuit around it; without one there is nobody to spare.
    const mayAskEngine = async (signal: AbortSignal) =>
      (await circuits.get('docker')?.isClosed({ signal })) ?? true;
    // Nothing of a project of commands is on the disk of an engine, so it waits for none.
    const environment = () => {
      const found = readEnvironment(env);
      return needsEngine(config) ? found : { ...found, engineSockets: [] };
    };
    const scope = { paths, environment, mayAskEngine };
    const preflight = 'resilience.preflight.diskSpaceThreshold';
    const wanted =
      threshold === undefined
        ? { bytes: config.resilience.preflight.diskSpaceThreshold, key: preflight }
        : { bytes: threshold, key: optionsKey === undefined ? undefined : `${optionsKey}.threshold` };
    hooks.errorCodes.tap('disk', (codes) => codes.add(diskInodesLow));
    hooks.checkers.tap('disk', (checkers) => {
      checkers.add(spaceChecker(wanted, scope));
      checkers.add(inodesChecker(inodes, scope));
    });
  },
});
