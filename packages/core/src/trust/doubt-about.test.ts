import { chmodSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../config/fixtures/project-folder.js';
import { doubtAbout, isPrivate } from './doubt-about.js';

const me = process.geteuid?.() ?? 0;
const group = process.getegid?.() ?? 0;
const mine = { users: [me, 0], groups: () => [group] };
/** Who asks is root, or, where these tests are, somebody else. To both of them the folders of the tests are a stranger's. */
const another = { users: [0, 12_345].filter((user) => user !== me), groups: () => [12_345] };

/** A folder with a file in it, below a folder that stands for one that many share. */
function shared(mode: number) {
  const top = projectFolder({ 'top/project/argus.config.yaml': '' });
  chmodSync(join(top, 'top'), mode);
  return { top: join(top, 'top'), file: join(top, 'top/project/argus.config.yaml') };
}

describe.skipIf(process.platform === 'win32')('what others could have changed', () => {
  it('is nothing of a file of one’s own in folders of one’s own and of the system, also below /tmp', () => {
    expect(doubtAbout(shared(0o755).file, mine)).toBeUndefined();
    expect(doubtAbout(join(shared(0o755).top, 'not/there'), mine)).toBeUndefined();
    expect(doubtAbout(shared(0o700).file, undefined)).toBeUndefined();
  });

  it('is what another user owns, be it only a folder above', () => {
    const { file } = shared(0o755);
    const doubt = doubtAbout(file, another);
    expect(doubt).toMatchObject({ reason: 'owner', owner: me });
    expect(file.startsWith(doubt?.path ?? 'nothing')).toBe(true);
  });

  it('is what everybody may write, be it only a folder above', () => {
    const { top, file } = shared(0o777);
    expect(doubtAbout(file, mine)).toEqual({ path: top, reason: 'writable', owner: me, mode: '777' });
    chmodSync(top, 0o755);
    chmodSync(file, 0o666);
    expect(doubtAbout(file, mine)).toMatchObject({ path: file, reason: 'writable', mode: '666' });
  });

  it('is nothing below a folder in which nobody can replace what is another’s, unless the file lies right in it', () => {
    const { top, file } = shared(0o1777);
    expect(doubtAbout(file, mine)).toBeUndefined();
    chmodSync(dirname(file), 0o1777);
    expect(doubtAbout(file, mine)).toMatchObject({ path: dirname(file), reason: 'writable' });
    expect(doubtAbout(dirname(file), mine)).toBeUndefined();
    expect(doubtAbout(top, mine)).toBeUndefined();
  });

  it('is what is not there, where others could put it', () => {
    const { top } = shared(0o1777);
    expect(doubtAbout(join(top, 'not/there'), mine)).toMatchObject({ path: top, reason: 'writable' });
    expect(doubtAbout(join(top, 'project/not/there'), mine)).toBeUndefined();
  });

  it('is what a group may write that is not one’s own', () => {
    const { top, file } = shared(0o775);
    expect(doubtAbout(file, mine)).toBeUndefined();
    const strange = { ...mine, groups: () => [group + 1] };
    // What root lets a group write in the folders of the system is no stranger’s doing.
    expect(doubtAbout(file, strange)?.path).toBe(me === 0 ? undefined : top);
  });

  it('is also what a group may write that others have for their own too', () => {
    const alice = { id: 1_001, name: 'alice' };
    const known = 'root:x:0:\nusers:x:100:\nalice:x:1005:\ncarol:x:1006:\nteam:x:1007:alice\n';
    expect(isPrivate(1_001, alice, '')).toBe(true);
    expect(isPrivate(1_005, alice, known)).toBe(true);
    for (const group of [100, 1_006, 1_007, 1_008]) expect(isPrivate(group, alice, known)).toBe(false);
    expect(isPrivate(1_005, alice, 'alice:x:1005:alice,bob\n')).toBe(false);
  });

  it('is of a link who has made it, and not its mode', () => {
    const { top, file } = shared(0o755);
    symlinkSync(file, join(top, 'link'));
    expect(doubtAbout(join(top, 'link'), mine)).toBeUndefined();
  });
});
