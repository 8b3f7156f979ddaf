import type { OwnerLookup } from '../../environment/ownership/liveness.js';
import type { RunGuardian } from '../../environment/runs/run-record.js';

/** Who is to guard a run, and whether that is the one who asks. */
export interface Succession {
  readonly guardian: RunGuardian;
  readonly isMine: boolean;
}

/**
 * Who is to guard a run when somebody offers to: whoever does so already, unless that process is gone. A background
 * guardian, or one that yields, is asked to make room for one that relieves it; when it is asked, it hands over by itself, so that at no moment
 * two of them act.
 */
export async function successionOf(
  current: RunGuardian | undefined,
  me: RunGuardian,
  relieves: boolean,
  lookUp: OwnerLookup,
): Promise<Succession> {
  if (!current) return { guardian: me, isMine: true };
  const isDead = async (one: RunGuardian) => (await lookUp(one)) === 'dead';
  if (current.id === me.id) {
    const { relief, rests, ...held } = current;
    if (!relief || (await isDead(relief)))
      return { guardian: relief || rests ? held : current, isMine: true };
    return { guardian: { ...relief, after: held }, isMine: false };
  }
  if (await isDead(current)) {
    const { after } = current;
    const isNext = !after || after.id === me.id || (await isDead(after));
    return { guardian: isNext ? me : { ...me, after }, isMine: true };
  }
  const asked = current.relief;
  const mayAsk = relieves && (current.background || current.yields) && (!asked || (await isDead(asked)));
  return { guardian: mayAsk ? { ...current, relief: me } : current, isMine: false };
}
