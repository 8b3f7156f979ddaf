import { describe, expect, it } from 'vitest';
import type { RunGuardian } from '../../environment/runs/run-record.js';
import { successionOf } from './succession.js';

const guardian = (id: string, rest: Partial<RunGuardian> = {}): RunGuardian => ({
  host: 'here',
  pid: 1,
  startedAt: id,
  id,
  since: 0,
  background: false,
  ...rest,
});
const me = guardian('me');
const dead = new Set<string>();
const lookUp = async ({ startedAt }: { startedAt: string }) => (dead.has(startedAt) ? 'dead' : 'alive');
const ask = (current: RunGuardian | undefined, relieves = false) => {
  dead.clear();
  dead.add('dead').add('gone');
  return successionOf(current, me, relieves, lookUp);
};

describe('the succession of guardians', () => {
  it('takes a post that is free or whose guardian is dead', async () => {
    expect(await ask(undefined)).toEqual({ guardian: me, isMine: true });
    expect(await ask(guardian('dead'))).toEqual({ guardian: me, isMine: true });
  });

  it('leaves the post to whoever has it', async () => {
    const other = guardian('other');
    expect(await ask(other)).toEqual({ guardian: other, isMine: false });
    expect(await ask(other, true)).toEqual({ guardian: other, isMine: false });
    expect(await ask(guardian('other', { background: true }))).toMatchObject({ isMine: false });
    expect(await ask(me)).toEqual({ guardian: me, isMine: true });
  });

  it('asks a background guardian for room, once', async () => {
    const background = guardian('background', { background: true });
    expect(await ask(background, true)).toEqual({ guardian: { ...background, relief: me }, isMine: false });
    const asked = { ...background, relief: guardian('other') };
    expect(await ask(asked, true)).toEqual({ guardian: asked, isMine: false });
    const askedByDead = { ...background, relief: guardian('dead') };
    expect(await ask(askedByDead, true)).toEqual({ guardian: { ...background, relief: me }, isMine: false });
  });

  it('asks one that yields for room too', async () => {
    const yielding = guardian('server', { yields: true });
    expect(await ask(yielding, true)).toEqual({ guardian: { ...yielding, relief: me }, isMine: false });
    expect(await ask(yielding)).toEqual({ guardian: yielding, isMine: false });
  });

  it('hands over to whoever asked, who gives it back when that one leaves', async () => {
    const other = guardian('other');
    expect(await ask({ ...me, relief: other })).toEqual({ guardian: { ...other, after: me }, isMine: false });
    expect(await ask({ ...me, relief: guardian('dead') })).toEqual({ guardian: me, isMine: true });
  });

  it('keeps who is to guard afterwards when it steps in for a dead one', async () => {
    const background = guardian('background');
    expect(await ask(guardian('dead', { after: background }))).toEqual({
      guardian: { ...me, after: background },
      isMine: true,
    });
    expect(await ask(guardian('dead', { after: me }))).toEqual({ guardian: me, isMine: true });
    expect(await ask(guardian('dead', { after: guardian('gone') }))).toEqual({ guardian: me, isMine: true });
  });
});
