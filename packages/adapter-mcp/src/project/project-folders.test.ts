import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWith } from '../fixtures/projects.js';
import { chooseFolder, projectFolders } from './project-folders.js';

describe('the folder of a server', () => {
  it('is what it was told, then what the variables say, then where it was started', () => {
    const env = { ARGUS_PROJECT_DIR: '/variable', CLAUDE_PROJECT_DIR: '/host' };
    expect(projectFolders({ project: 'told', allow: [] }, env, '/here').main).toBe('/here/told');
    expect(projectFolders({ allow: [] }, env, '/here').main).toBe('/variable');
    expect(projectFolders({ allow: [] }, { ...env, ARGUS_PROJECT_DIR: '' }, '/here').main).toBe('/host');
    expect(projectFolders({ allow: ['more'] }, {}, '/here')).toEqual({
      main: '/here',
      roots: ['/here', '/here/more'],
    });
  });
});

describe('the folder of a call', () => {
  it('lies inside the folders that are allowed', () => {
    const [main, more, other] = [folderWith({ 'a/b': '' }), folderWith(), folderWith()];
    const folders = { main, roots: [main, more] };
    expect(chooseFolder(folders)).toEqual({ folder: main });
    expect(chooseFolder(folders, 'a')).toEqual({ folder: join(main, 'a') });
    expect(chooseFolder(folders, more)).toEqual({ folder: more });
    expect(chooseFolder(folders, other)).toMatchObject({ refusal: expect.stringContaining('outside') });
    expect(chooseFolder(folders, '..')).toMatchObject({ refusal: expect.stringContaining('outside') });
    expect(chooseFolder(folders, `${main}-not`)).toMatchObject({
      refusal: expect.stringContaining('no folder'),
    });
  });

  it('is where links lead, not where they lie', () => {
    const [main, other] = [folderWith(), folderWith()];
    symlinkSync(other, join(main, 'out'));
    mkdirSync(join(main, 'real'));
    symlinkSync(join(main, 'real'), join(main, 'in'));
    const folders = { main, roots: [main] };
    expect(chooseFolder(folders, 'out')).toMatchObject({ refusal: expect.stringContaining('outside') });
    expect(chooseFolder(folders, 'in')).toEqual({ folder: join(main, 'real') });
  });

  it('is never the root or a home folder, and neither opens what lies in it', () => {
    const main = folderWith();
    // Whoever is given another home for a while still has his own.
    const given = folderWith();
    const { HOME } = process.env;
    onTestFinished(() => {
      if (HOME === undefined) delete process.env.HOME;
      else process.env.HOME = HOME;
    });
    process.env.HOME = given;
    const shared = ['/home', '/Users'].filter((folder) => existsSync(folder));
    for (const never of ['/', given, userInfo().homedir, ...shared]) {
      const folders = { main: never, roots: [never] };
      expect(chooseFolder(folders)).toMatchObject({ refusal: expect.stringContaining('never a project') });
      expect(chooseFolder(folders, main)).toMatchObject({ refusal: expect.stringContaining('outside') });
    }
  });
});
