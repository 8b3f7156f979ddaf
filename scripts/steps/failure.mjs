import { say } from './say.mjs';

/**
 * Something that did not pass, with what the tool printed.
 * @typedef {{ what: string, output: string }} Failure
 */

/**
 * Shows what did not pass.
 * @param {Failure} failure
 */
export function showFailure({ what, output }) {
  say(`\nFAILED: ${what}\n${output.trim()}\n`);
}
