import { definePlugin } from '@argusai/core';
import { settingsChecker } from './checkers/settings.js';
import { settingsMissing } from './error-codes.js';
import { options } from './options.js';
import { exampleCopier } from './recoverers/copy-example.js';

export { settingsMissing } from './error-codes.js';

/** Looks whether the settings file of a project is there, and makes it from its example. */
export default definePlugin({
  name: '__name__',
  options,
  apply({ hooks }, files) {
    hooks.errorCodes.tap('__name__', (codes) => codes.add(settingsMissing));
    hooks.checkers.tap('__name__', (checkers) => checkers.add(settingsChecker(files)));
    hooks.recoverers.tap('__name__', (recoverers) => recoverers.add(exampleCopier(files)));
  },
});
