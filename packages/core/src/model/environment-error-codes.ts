import {
  cleanupFailed,
  environmentRemoved,
  runOfGoneFolder,
  runOfOtherName,
  runOfOtherStore,
  runRecordLost,
} from './run-error-codes.js';
import {
  containerCrash,
  containerOom,
  containerRestartExhausted,
  dependencyRestarted,
  guardianGone,
  healthCheckTimeout,
  healthUnknown,
} from './service-error-codes.js';
import {
  buildFailed,
  diskSpaceLow,
  portConflict,
  runtimeMissing,
  serviceStartFailed,
  setupInProgress,
} from './start-error-codes.js';

/** Codes that more than one plugin raises, so that core declares them. */
export const environmentErrorCodes = [
  runRecordLost,
  runOfGoneFolder,
  runOfOtherName,
  runOfOtherStore,
  portConflict,
  diskSpaceLow,
  buildFailed,
  serviceStartFailed,
  healthCheckTimeout,
  healthUnknown,
  containerOom,
  containerCrash,
  dependencyRestarted,
  guardianGone,
  containerRestartExhausted,
  cleanupFailed,
  setupInProgress,
  environmentRemoved,
  runtimeMissing,
];
