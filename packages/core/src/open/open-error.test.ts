import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ArgusError } from '../model/argus-error.js';
import { configInvalid, folderUntrusted } from '../model/core-error-codes.js';
import { openError } from './open-error.js';

describe('an error before there is a kernel', () => {
  it('has a code, and tells no secret of the environment', () => {
    const secret = ['blue', 'horse', 'battery'].join('-');
    const error = openError(new Error(`cannot load ${secret}`), { MY_TOKEN: secret });
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'cannot load [redacted]' });
  });

  it('tells what it is about, although a secret is called so too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wordpress-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = { MYSQL_PASSWORD: 'wordpress', TOKEN: 'hunter-22' };
    const untrusted = { message: `${folder} is not used`, details: { folder, reason: 'unasked' } };
    expect(openError(new ArgusError(folderUntrusted, untrusted), env)).toMatchObject(untrusted);
    const message = 'services.wordpress.comand: unknown key; MYSQL_PASSWORD=wordpress, hunter-22';
    const problems = [{ path: 'services.wordpress.comand', message }];
    expect(
      openError(new ArgusError(configInvalid, { message, details: { file: null, problems } }), env),
    ).toMatchObject({
      message: 'services.wordpress.comand: unknown key; MYSQL_PASSWORD=[redacted], [redacted]',
      details: { problems: [{ path: 'services.wordpress.comand' }] },
    });
    const gone = { message: 'no /gone/wordpress', details: { folder: '/gone/wordpress', reason: 'unasked' } };
    expect(openError(new ArgusError(folderUntrusted, gone), env).message).toBe('no /gone/[redacted]');
  });
});
