import { describe, expect, it } from 'vitest';
import { collectNames } from './collect-names.js';
import { createRedactor } from './redactor.js';

const config = {
  project: { name: 'blog' },
  services: {
    wordpress: {
      image: 'library/wordpress:6-apache',
      volumes: ['/srv/wordpress-files:/var/www'],
      environment: { MYSQL_PASSWORD: 'wordpress', API_TOKEN: 'hunter-2222' },
    },
    db: { image: 'mariadb:11', build: { context: './database', args: { TOKEN: 'builder-1' } } },
  },
  mocks: { payments: { routes: [{ path: '/v1', response: { body: { name: 'a body' } } }] } },
  tests: { suites: [{ id: 'smoke', command: 'npm test' }] },
};

describe('names', () => {
  it('are what the configuration calls things, and no values', () => {
    expect(collectNames({ config, project: { name: 'blog', dir: '/home/me/blog' } }).sort()).toEqual([
      './database',
      '/home/me/blog',
      '/srv/wordpress-files:/var/www',
      '/v1',
      'blog',
      'db',
      'library/wordpress:6-apache',
      'mariadb:11',
      'payments',
      'smoke',
      'wordpress',
    ]);
  });

  const { redact, text } = createRedactor({
    secrets: ['wordpress', 'hunter-2222', 'builder-1'],
    names: collectNames(config),
  });

  it('stay readable where a secret is called the same, as a whole or in part', () => {
    for (const said of [
      'wordpress is not well: library/wordpress:6-apache, /srv/wordpress-files',
      'argus-blog-r1-wordpress',
      'GET http://wordpress:8080/ 200',
      'service: wordpress',
    ])
      expect(text(said)).toBe(said);
    const value = { service: 'wordpress', services: { wordpress: { image: 'wordpress:6' } } };
    expect(redact(value)).toBe(value);
  });

  it.each([
    'MYSQL_PASSWORD=wordpress',
    'password: wordpress is what I use',
    'Password:wordpress',
    '{"password":"wordpress"}',
    'mysql://shop:wordpress@db/shop',
    "IDENTIFIED BY 'wordpress'",
    'mysql -h db -pwordpress',
  ])('are secrets where they stand as a value: %s', (said) => {
    expect(text(said)).not.toContain('wordpress');
  });

  it('are secrets under the name of a credential', () => {
    expect(redact({ MYSQL_PASSWORD: 'wordpress' })).toEqual({ MYSQL_PASSWORD: '[redacted]' });
    expect(redact(['MYSQL_PASSWORD=wordpress'])).toEqual(['MYSQL_PASSWORD=[redacted]']);
  });

  it('spare no secret that is called otherwise', () => {
    expect(text('hunter-2222 and builder-1')).toBe('[redacted] and [redacted]');
    const token = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    const named = createRedactor({ secrets: [token], names: [`./vendor/${token}`] });
    expect(named.text(`it is ${token}`)).toBe('it is [redacted]');
  });
});
