import type { Place } from './place.js';
import { findLocalEngine, type MayAsk } from './system/local-engine.js';
import { type Measurement, measure } from './system/measure.js';
import { type Patience, within } from './system/within.js';

/** A place with what was found there. */
export interface Seen {
  readonly kind: 'seen';
  readonly place: Place;
  readonly measurement: Measurement;
}

/** Something that should have been looked at and could not be. */
export interface Unseen {
  readonly kind: 'unseen';
  readonly target: string;
  readonly message: string;
  /** There is no such folder. */
  readonly missing: boolean;
  /** It is the engine that did not say where its folder is. */
  readonly ofEngine?: true;
}

/** What came of looking at a place. */
export type Sight = Seen | Unseen;

/** Looks at one folder. */
export async function look(place: Place, patience: Patience): Promise<Sight> {
  try {
    const measurement = await within(patience, (signal) => measure(place.path, signal));
    return { kind: 'seen', place, measurement };
  } catch (error) {
    patience.signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    return {
      kind: 'unseen',
      target: place.path,
      message: `cannot look at ${place.path} (${place.use}): ${withoutSystemCall(message)}`,
      missing: code === 'ENOENT' || code === 'ENOTDIR',
    };
  }
}

/** Looks at the folder of the engine on this machine: nothing where there is none. */
export async function lookAtEngine(
  sockets: readonly string[],
  patience: Patience,
  mayAsk?: MayAsk,
): Promise<Sight[]> {
  const engine = await findLocalEngine(sockets, patience, mayAsk);
  if (engine.kind === 'none') return [];
  if (engine.kind === 'held-back') {
    const message = 'the engine was not asked for its folder, because its circuit is not closed';
    return [{ kind: 'unseen', target: engine.socket, message, missing: false, ofEngine: true }];
  }
  if (engine.kind === 'silent') {
    const message = `the engine did not answer, so its folder was not looked at: ${engine.reason}`;
    return [{ kind: 'unseen', target: engine.socket, message, missing: false, ofEngine: true }];
  }
  const sight = await look({ path: engine.rootDir, use: 'engine' }, patience);
  // An engine that runs in a virtual machine names a folder inside of it: not a disk of this machine.
  return sight.kind === 'unseen' && sight.missing ? [] : [sight];
}

/** `ENOENT: no such file or directory, stat '/x'` is for programmers. */
function withoutSystemCall(message: string): string {
  return message.replace(/^[A-Z\d]+: (.*?), .*$/, '$1');
}
