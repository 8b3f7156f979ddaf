import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CREDENTIAL_HINTS, namesCredential } from './credential-name.js';

const CREDENTIALS = `password Password DB_PASSWORD dbPassword db-password PGPASSWORD MYSQL_PWD SMTP_PASS userPass sshpass
  passphrase secret client_secret clientSecret SECRET_KEY_BASE AWS_SECRET_ACCESS_KEY token GITHUB_TOKEN accessToken
  authtoken csrf-token X-Auth-Token OAuth2Token apiKey API_KEY apikey x-api-key AccountKey privateKey private_key
  STRIPE_SECRET_KEY signingKey RAILS_MASTER_KEY authorization Proxy-Authorization _auth REDISCLI_AUTH cookie Set-Cookie
  credentials GH_PAT jwt API_TOKEN_PROD TOKEN_FROM passwordFrom PASSWORD2 spring.datasource.password passwords PASSWORD_HASH`;

const OTHERS = `PWD OLDPWD OLD_PWD pwd pass passed bypass compass TOKEN_FILE PASSWORD_FILE SSH_AUTH_SOCK SSH_ASKPASS
  KEYBOARD PRIMARY_KEY primaryKey publicKey cacheKey key keys keystore tokens maxTokens totalTokens tokenizer
  nextPageToken cancellationToken token_type tokenCount TOKEN_TTL token_expires_in passwordPolicy password_changed_at
  secretName AWS_ACCESS_KEY_ID private_key_id client_id AUTH_MODE AUTH_URL author authority oauth OAuth path filePat
  secretary credentialless 42 __ monkey`;

describe('the name of a credential', () => {
  it.each(CREDENTIALS.trim().split(/\s+/))('is %s', (name) => {
    expect(namesCredential(name)).toBe(true);
  });

  it.each(OTHERS.trim().split(/\s+/))('is not %s', (name) => {
    expect(namesCredential(name)).toBe(false);
  });

  it('is not the empty one', () => {
    expect(namesCredential('')).toBe(false);
  });

  it('is read from the end of a long one', () => {
    expect(namesCredential(`${'x'.repeat(1_000_000)}_PASSWORD`)).toBe(true);
  });

  it('has a hint in it, before what divides it from its value', () => {
    const word = fc.constantFrom('db', 'api', 'gh', 'my', 'mysql', 'pass', 'pwd', 'pat', 'key', 'auth', 'creds', 'jwt', 'token', 'secret', 'cookie', 'bearer', 'credential'); // biome-ignore format: one line reads better
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const label = `${words.join('_')}=`;
        fc.pre(namesCredential(label));
        expect(CREDENTIAL_HINTS.some((hint) => label.includes(hint))).toBe(true);
      }),
      { examples: [[['gh', 'pat', 'db']]] },
    );
  });
});
