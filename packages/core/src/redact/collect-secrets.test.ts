import { describe, expect, it } from 'vitest';
import { collectSecrets } from './collect-secrets.js';
import { createRedactor } from './redactor.js';

describe('collecting secrets', () => {
  it('finds the values of variables whose names are those of credentials', () => {
    const found = collectSecrets({
      DB_PASSWORD: 'hunter22',
      API_TOKEN: 'abc-def-1',
      SMTP_PASS: 'mailer-1',
      MYSQL_PWD: 'root-pw-1',
      HOME: '/home/me',
      EDITOR: 'vim-9000',
    });
    expect(found).toEqual(['hunter22', 'abc-def-1', 'mailer-1', 'root-pw-1']);
  });

  it.each([
    ['TOKEN_FILE', 'tokens-file-1'],
    ['PASSWORD_FILE', 'passwords-1'],
    ['SSH_AUTH_SOCK', 'agent-sock-12'],
    ['KEYBOARD', 'qwerty-123'],
    ['PRIMARY_KEY', 'order-id-1'],
    ['PWD', 'work-dir-1'],
    ['OLDPWD', 'work-dir-2'],
    ['SSH_ASKPASS', 'ask-program-1'],
    ['AWS_ACCESS_KEY_ID', 'key-of-me-1'],
    ['PASS', 'all-checks-1'],
  ])('takes no value from %s', (name, value) => {
    expect(collectSecrets({ [name]: value })).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['a flag', 'true'],
    ['a short value', 'ab1!x'],
    ['a short number', '12345678'],
    ['a short word', 'orders'],
    ['a default that everyone knows', 'postgres'],
    ['a path', '/run/secrets/db'],
    ['a path on a Mac', '/Users/Me/key.json'],
    ['a path on Windows', 'C:\\keys\\one.json'],
    ['a reference to a variable', ['$', '{VAULT_TOKEN}'].join('')],
    ['a reference to a vault', 'op://team/db/field'],
    ['an address', 'https://vault.example:8200/v1'],
    ['a part of the replacement', 'redacted'],
  ])('takes %s for no secret', (_, value) => {
    expect(collectSecrets({ DB_PASSWORD: value })).toEqual([]);
  });

  it('finds passwords in connection strings, as written and unescaped', () => {
    expect(collectSecrets({ DATABASE_URL: 'postgres://u:p%40ss-word@host/db' })).toEqual([
      'p%40ss-word',
      'p@ss-word',
    ]);
    expect(collectSecrets({ X: 'mysql://u:ab/cd-12@host/db' })).toEqual(['ab/cd-12']);
    expect(collectSecrets({ X: 'mysql://u:100%-sure@host/db' })).toEqual(['100%-sure']);
    expect(collectSecrets({ SENTRY_DSN: `https://${'0a1b2c3d'.repeat(4)}@host/1` })).toEqual([
      '0a1b2c3d'.repeat(4),
    ]);
    expect(collectSecrets({ X: 'postgres://u@host/db', Y: 'me@example.org' })).toEqual([]);
  });

  it('looks into options, sections, lists and pairs', () => {
    const found = collectSecrets({
      plugins: [['acme', { apiKey: 'option-key-1' }]],
      services: {
        db: { environment: { POSTGRES_PASSWORD: 'section-pw-1' } },
        web: { environment: ['PORT=80', 'SESSION_SECRET=list-secret-1', 'X_URL=redis://:url-secret-1@c'] },
      },
      env: [{ name: 'API_TOKEN', value: 'pair-token-1' }],
      tokens: { a: 1 },
      passwords: ['plain-list-1'],
      pin: { secret: 1234567890123 },
    });
    expect(found).toEqual([
      'option-key-1',
      'section-pw-1',
      'list-secret-1',
      'url-secret-1',
      'pair-token-1',
      'plain-list-1',
      '1234567890123',
    ]);
  });

  it('looks into JSON that is kept in one variable', () => {
    const account = JSON.stringify({ type: 'service_account', private_key: 'inner-key-1' });
    expect(collectSecrets({ ACCOUNT: account, OTHER: '{not json' })).toEqual(['inner-key-1']);
  });

  it('is not caught in a circle, nor by depth', () => {
    const circle: Record<string, unknown> = { password: 'circle-pw-1' };
    circle.again = circle;
    expect(collectSecrets(circle)).toEqual(['circle-pw-1']);
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    expect(collectSecrets(deep)).toEqual([]);
    expect(collectSecrets(undefined)).toEqual([]);
  });

  it('gives a redactor what it needs for texts that name nothing', () => {
    const { text } = createRedactor({
      secrets: collectSecrets({ DATABASE_URL: 'postgres://u:s3cr3t-pw@h/db' }),
    });
    expect(text('server said: s3cr3t-pw is wrong')).toBe('server said: [redacted] is wrong');
  });
});
