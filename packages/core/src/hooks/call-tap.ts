import { thrownAs } from '../model/argus-error.js';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Clock } from '../time/clock.js';
import type { Hooks } from './hooks.js';
import { ownerOfTap } from './tap-owner.js';

/** A function that a plugin has put on a hook. */
export type Tap = Hooks[keyof Hooks]['taps'][number];

/** What a tap is called where it is to blame. */
export function tapName(hook: keyof Hooks, tap: Tap): string {
  return `The hook ${hook} of the plugin ${ownerOfTap(tap)}`;
}

/**
 * Calls one tap of a hook, in whichever of the three ways it was put there. Calling them one by one says who is at fault, and one
 * that breaks takes nothing from the others. What it throws names the hook and the plugin.
 */
export async function callTap(
  hook: keyof Hooks,
  tap: Tap,
  argument: unknown,
  clock: Pick<Clock, 'now'>,
): Promise<unknown> {
  try {
    if (tap.type !== 'async') return await tap.fn(argument);
    return await new Promise((resolve, reject) => {
      tap.fn(argument, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
    });
  } catch (thrown) {
    const error = toStructuredError(thrown, clock.now());
    const message = `${tapName(hook, tap)} broke: ${error.message}`;
    throw thrownAs({ ...error, message }, { cause: thrown });
  }
}
