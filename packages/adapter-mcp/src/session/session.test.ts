import { describe, expect, it } from 'vitest';
import type { Answer } from '../answer/answer.js';
import { Call } from './call.js';
import { Session } from './session.js';

const newSession = () =>
  new Session({
    readOnly: false,
    patienceMs: 1,
    version: '0',
    env: {},
    secrets: new Set(),
    log: () => undefined,
    folders: { main: '/', roots: [] },
  });

/** A call that is under way, and what ends it. */
function began(session: Session, isPromised = false) {
  const call = new Call('argus_setup');
  let finish: (answer: Answer) => void = () => undefined;
  session.begin(call, () => new Promise((resolve) => (finish = resolve)));
  if (isPromised) call.promise();
  return {
    call,
    end: async () => {
      finish({ ok: true });
      await call.done;
    },
  };
}

describe('the events of a session', () => {
  const event = (message: string) =>
    ({ channel: 'resilience', type: 'setup_stage', timestamp: 0, data: { message } }) as never;
  const heard = ({ events }: Session) =>
    events.map(({ call, data }) => [call, (data as unknown as { message: string }).message]);

  it('are those of the calls that are at work, and of the last that changed something', async () => {
    const session = newSession();
    const [first, refused, after] = [began(session), began(session), began(session)];
    session.follow(first.call, true);
    session.hear(event('begins'), first.call);
    session.follow(refused.call, true);
    session.hear(event('looks'), refused.call);
    await refused.end();
    session.hear(event('goes on'), first.call);
    const ofFirst = [
      [first.call.runId, 'begins'],
      [first.call.runId, 'goes on'],
    ];
    expect(heard(session)).toEqual([ofFirst[0], [refused.call.runId, 'looks'], ofFirst[1]]);
    session.follow(after.call, true);
    expect(heard(session)).toEqual(ofFirst);
    await first.end();
    session.hear(event('ends'), after.call);
    await after.end();
    const last = began(session);
    session.follow(last.call, true);
    expect(heard(session)).toEqual([]);
    await last.end();
  });

  it('are those of the last look only until something is changed', async () => {
    const session = newSession();
    const [look, another, change, late] = [began(session), began(session), began(session), began(session)];
    session.follow(look.call, false);
    session.hear(event('looks'), look.call);
    session.follow(another.call, false);
    session.hear(event('looks'), look.call);
    session.hear(event('looks again'), another.call);
    expect(heard(session)).toEqual([[another.call.runId, 'looks again']]);
    session.follow(change.call, true);
    session.hear(event('changes'), change.call);
    session.follow(late.call, false);
    session.hear(event('looks'), late.call);
    session.hear(event('restarts'));
    expect(heard(session)).toEqual([
      [change.call.runId, 'changes'],
      [undefined, 'restarts'],
    ]);
    for (const { end } of [look, another, change, late]) await end();
  });
});

describe('the calls of a session', () => {
  it('are remembered while they go on, and after that only where somebody was told to ask for them', async () => {
    const session = newSession();
    const [answered, promised] = [began(session), began(session, true)];
    expect(session.calls).toHaveLength(2);
    await answered.end();
    await promised.end();
    expect(session.calls).toEqual([promised.call]);
  });

  it('all hear of a crash while they go on, each once', async () => {
    const session = newSession();
    const [over, one, other] = [began(session), began(session), began(session)];
    await over.end();
    session.crashed('far away');
    expect([over, one, other].map(({ call }) => call.takeCrashes())).toEqual([
      [],
      ['far away'],
      ['far away'],
    ]);
    expect(one.call.takeCrashes()).toEqual([]);
    for (let n = 0; n < 100; n += 1) session.crashed(n);
    expect(other.call.takeCrashes()).toEqual([0, 1, 2, 3, 4]);
  });

  it('keep a result that nobody has asked for, however many calls come after it', async () => {
    const session = newSession();
    const long = began(session, true);
    for (let n = 0; n < 50; n += 1) await began(session).end();
    await long.end();
    for (let n = 0; n < 50; n += 1) {
      const other = began(session, true);
      await other.end();
      other.call.isGiven = true;
    }
    expect(session.call(long.call.runId)?.answer).toEqual({ ok: true });
  });

  it('are forgotten in the order in which they ended, when there are many', async () => {
    const session = newSession();
    const first = began(session, true);
    const others = Array.from({ length: 100 }, () => began(session, true));
    for (const { end } of others) await end();
    await first.end();
    expect(session.call(first.call.runId)).toBeDefined();
    expect(session.call(others[0]?.call.runId ?? '')).toBeUndefined();
    expect(session.calls).toHaveLength(100);
  });
});
