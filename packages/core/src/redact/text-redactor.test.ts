import { describe, expect, it } from 'vitest';
import { secretCases, whole } from './fixtures/secret-cases.js';
import { REDACTED as X } from './redacted.js';
import { SECRET_SHAPES } from './secret-shapes.js';
import { createTextRedactor } from './text-redactor.js';

const redact = createTextRedactor([]);

/** Made-up secrets, put together here so that no scanner takes this file for a leak. */
const made = (...parts: string[]) => parts.join('');
const hex = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const alnum = made('aB3dE6gH9', 'jK2mN5pQ8', 'sT1vW4xY7', 'zA0cD3fG6');
const jwt = made(
  'ey',
  'JhbGciOiJIUzI1NiJ9',
  '.ey',
  'JzdWIiOiIxMjM0NTY3ODkwIn0',
  '.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
);
const begin = (label = '') => made('-----BEGIN ', label, 'PRIVATE', ' KEY-----');
const end = (label = '') => made('-----END ', label, 'PRIVATE', ' KEY-----');
const body = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7', 'VJTUt9Us8cKjMzEfYyjiWA4R4'];
const basic = Buffer.from('shop:hunter2').toString('base64');

/** What is printed, and what may be left of it. */
const LEAKS: [name: string, text: string, safe: string][] = [
  [
    'a database URL',
    'cannot reach postgres://shop:hunter2@db:5432/shop',
    `cannot reach postgres://shop:${X}@db:5432/shop`,
  ],
  ['a URL without a user', 'redis://:hunter2@cache:6379/0', `redis://:${X}@cache:6379/0`],
  ['a password with an at sign', 'amqp://guest:p@ss@mq/vhost', `amqp://guest:${X}@mq/vhost`],
  ['a password with a slash', 'mysql://root:ab/cd#1@db/shop', `mysql://root:${X}@db/shop`],
  ['several hosts', 'mongodb://u:hunter2@m1:27017,m2:27017/x', `mongodb://u:${X}@m1:27017,m2:27017/x`],
  ['a list of URLs', 'http://a/b,http://u:hunter2@c', `http://a/b,http://u:${X}@c`],
  ['a token as the user', `https://${hex}@sentry.example/42`, `https://${X}@sentry.example/42`],
  [
    'a token as the user with an empty password',
    `https://${alnum}:@api.example/v1`,
    `https://${X}:@api.example/v1`,
  ],
  [
    'a clone with a token',
    made('https://x-access-token:', 'gh', 's_', alnum, '@github.com/o/r.git'),
    `https://x-access-token:${X}@github.com/o/r.git`,
  ],
  [
    'an access token in a query',
    'GET /v1?access_token=abc&page=2 401',
    `GET /v1?access_token=${X}&page=2 401`,
  ],
  [
    'a signature in a query',
    'https://b.example/x?sv=1&sig=aB%2Fc%3D&se=2',
    `https://b.example/x?sv=1&sig=${X}&se=2`,
  ],
  [
    'a signed request',
    `https://s3.example/k?X-Amz-Signature=${hex}&X-Amz-Expires=60`,
    `https://s3.example/k?X-Amz-Signature=${X}&X-Amz-Expires=60`,
  ],
  ['a long key in a query', `https://maps.example/?key=${hex}&q=x`, `https://maps.example/?key=${X}&q=x`],
  ['a bearer header', 'Authorization: Bearer abc.def', `Authorization: Bearer ${X}`],
  ['a bearer header in JSON', '{"Authorization":"Bearer abcdef"}', `{"Authorization":"Bearer ${X}"}`],
  [
    'a header and what follows it',
    'Authorization: Bearer abcd.ef was refused',
    `Authorization: Bearer ${X} was refused`,
  ],
  ['a basic header', `> Authorization: Basic ${basic}`, `> Authorization: Basic ${X}`],
  ['a proxy header', `Proxy-Authorization: Basic ${basic}`, `Proxy-Authorization: Basic ${X}`],
  ['a digest header', `authorization: Digest username="u", response="${hex}"`, `authorization: Digest ${X}`],
  ['a header without a scheme', 'authorization: abc123def', `authorization: ${X}`],
  [
    'a header in a command',
    `curl -H 'Authorization: Token abc123' http://x`,
    `curl -H 'Authorization: Token ${X}' http://x`,
  ],
  ['bearer in a sentence', `sent Bearer ${alnum} to the server`, `sent Bearer ${X} to the server`],
  ['basic in a sentence', `sent basic ${basic} to it`, `sent basic ${X} to it`],
  ['a cookie', 'Cookie: sid=abc; theme="dark"', `Cookie: ${X}`],
  [
    'a cookie of a response',
    '< Set-Cookie: sid=abc; Path=/\n< Date: today',
    `< Set-Cookie: ${X}\n< Date: today`,
  ],
  ['a cookie in a command', `curl -H "Cookie: sid=abc" http://x`, `curl -H "Cookie: ${X}" http://x`],
  ['an API key header', 'X-Api-Key: k3y-f0r-us', `X-Api-Key: ${X}`],
  ['a private key', `key:\n${begin()}\n${body.join('\n')}\n${end()}\nbye`, `key:\n${X}\nbye`],
  ['a named private key', `${begin('RSA ')}\r\n${body.join('\r\n')}\r\n${end('RSA ')}`, X],
  ['a private key cut off at its end', `${begin('OPENSSH ')}\n${body[0]}`, X],
  ['a private key cut off at its start', `log: ${body.join('\n')}\n${end('EC ')} done`, `log: ${X} done`],
  [
    'a private key with spelled-out line ends',
    `{"k":"${begin()}\\n${body.join('\\n')}\\n${end()}\\n"}`,
    `{"k":"${X}\\n"}`,
  ],
  [
    'two private keys',
    `${begin()}\n${body[0]}\n${end()} and ${begin()}\n${body[1]}\n${end()}`,
    `${X} and ${X}`,
  ],
  ['a JSON web token', `user ${jwt} is unknown`, `user ${X} is unknown`],
  ['an escaped JSON web token', `next=%2F%20${jwt}`, `next=%2F%20${X}`],
  ['a GitHub token', made('pushed with gh', 'p_', alnum), `pushed with ${X}`],
  ['a fine-grained GitHub token', made('github', '_pat_', '11ABCDEFG0', alnum, '_', alnum), X],
  ['a GitLab token', made('gl', 'pat-', 'aBcDeFgHiJkLmNoPqRsT'), X],
  ['a Slack token', made('xo', 'xb-', '123456789012-', alnum), X],
  [
    'a Slack webhook',
    made('https://hooks.slack', '.com/services/', 'T00000000/B00000000/', alnum),
    `https://hooks.slack.com/services/${X}`,
  ],
  [
    'a Discord webhook',
    made('https://discord', '.com/api/webhooks/', '123456789012345678/', alnum, alnum),
    `https://discord.com/api/webhooks/123456789012345678/${X}`,
  ],
  [
    'a Teams webhook',
    made('https://shop.webhook.office', '.com/webhookb2/', hex, '@', hex, '/IncomingWebhook/', hex),
    `https://shop.webhook.office.com/webhookb2/${X}`,
  ],
  [
    'a Telegram bot',
    made('GET https://api.telegram', '.org/bot', '123456789:', alnum, '/sendMessage 401'),
    `GET https://api.telegram.org/bot${X}/sendMessage 401`,
  ],
  ['an npm token', made('np', 'm_', alnum), X],
  ['an npmrc line', '//npm.example/:_authToken=abc-def', `//npm.example/:_authToken=${X}`],
  ['a PyPI token', made('py', 'pi-', 'AgEIcHlwaS5vcmc', alnum), X],
  ['a Docker Hub token', made('dckr', '_pat_', alnum), X],
  ['an AWS key id', made('user AK', 'IA', 'IOSFODNN7EXAMPLE is denied'), `user ${X} is denied`],
  ['a temporary AWS key id', made('AS', 'IA', 'IOSFODNN7EXAMPLE'), X],
  [
    'an AWS secret key',
    made('aws_secret_access_key = wJalrXUtn', 'FEMI/K7MDENG/bPxRfiCY'),
    `aws_secret_access_key = ${X}`,
  ],
  ['a Google key', made('AI', 'za', alnum.slice(0, 35)), X],
  ['a Google access token', made('ya', '29.', alnum), X],
  ['a Stripe key', made('sk', '_live_', alnum), X],
  ['a restricted Stripe key', made('rk', '_live_', alnum), X],
  [
    'an OpenAI key',
    made('Incorrect API key provided: sk', '-proj-', alnum),
    `Incorrect API key provided: ${X}`,
  ],
  ['an Anthropic key', made('sk', '-ant-api03-', alnum), X],
  ['a SendGrid key', made('S', 'G.', alnum.slice(0, 22), '.', alnum), X],
  ['a Vault token', made('hv', 's.', alnum), X],
  ['a Hugging Face token', made('h', 'f_', alnum), X],
  ['a DigitalOcean token', made('do', 'p_v1_', hex, hex), X],
  ['an age key', made('AGE-SECRET', '-KEY-1', 'QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'), X],
  ['a variable', 'started with DB_PASSWORD=hunter2 PORT=80', `started with DB_PASSWORD=${X} PORT=80`],
  ['a variable in quotes', `export API_TOKEN="two words" # x`, `export API_TOKEN="${X}" # x`],
  ['a variable in single quotes', `export API_TOKEN='two words'`, `export API_TOKEN='${X}'`],
  ['a variable whose quote was cut off', 'SECRET_KEY="abc def', `SECRET_KEY="${X}`],
  ['a password with marks in it', 'PGPASSWORD=a,b;c&d psql', `PGPASSWORD=${X} psql`],
  ['a property', '{"user":"a","password":"b\\"c","port":1}', `{"user":"a","password":"${X}","port":1}`],
  [
    'a property in escaped JSON',
    '"{\\"apiKey\\":\\"abc\\",\\"n\\":1}"',
    `"{\\"apiKey\\":\\"${X}\\",\\"n\\":1}"`,
  ],
  ['a printed object', "{ user: 'a', clientSecret: 'b', n: 1 }", `{ user: 'a', clientSecret: '${X}', n: 1 }`],
  ['a hash in Ruby', `{"password" => "abc"}`, `{"password" => "${X}"}`],
  ['a record in Java', 'Config{user=a, password=b, port=1}', `Config{user=a, password=${X}, port=1}`],
  ['a line of YAML', 'db:\n  password: hunter2\n  user: shop', `db:\n  password: ${X}\n  user: shop`],
  ['a label inside a value', `cmd="mysql --password=abc shop"`, `cmd="mysql --password=${X} shop"`],
  [
    'a flag',
    'docker login --username a --password hunter2 reg',
    `docker login --username a --password ${X} reg`,
  ],
  ['a flag in quotes', `run --api-key 'a b' now`, `run --api-key '${X}' now`],
  ['a user for curl', 'curl -u shop:hunter2 http://x', `curl -u shop:${X} http://x`],
  ['a connection string', 'Server=db;Uid=sa;Pwd=abc;Database=x', `Server=db;Uid=sa;Pwd=${X};Database=x`],
  [
    'a password of two words in a connection string',
    'Server=db;User Id=sa;Password=My Pass;Database=x',
    `Server=db;User Id=sa;Password=${X};Database=x`,
  ],
  [
    'a connection string that begins with its password',
    '"Password=My Pass;Server=db"',
    `"Password=${X};Server=db"`,
  ],
  ['a URL for Oracle', 'jdbc:oracle:thin:scott/tiger22@db:1521', `jdbc:oracle:thin:scott/${X}@db:1521`],
  [
    'a short flag of MySQL',
    'mysqladmin ping -h db -uroot -phunter2 --silent',
    `mysqladmin ping -h db -uroot -p${X} --silent`,
  ],
  [
    'a short flag of MySQL in a list',
    '["mysql","-uroot","-phunter2","shop"]',
    `["mysql","-uroot","-p${X}","shop"]`,
  ],
  ['a short flag of a login', 'docker login -u bob -p hunter2 reg', `docker login -u bob -p ${X} reg`],
  ['a short flag of ssh', 'sshpass -p hunter2 ssh db', `sshpass -p ${X} ssh db`],
  ['a short flag of Redis', 'redis-cli -h cache -a hunter2 ping', `redis-cli -h cache -a ${X} ping`],
  [
    'a connection string of a store',
    'AccountName=a;AccountKey=Zm9v/YmFy==;Suffix=b',
    `AccountName=a;AccountKey=${X};Suffix=b`,
  ],
  ['a name of a driver', 'root:hunter2@tcp(db:3306)/shop', `root:${X}@tcp(db:3306)/shop`],
  ['SQL', "CREATE USER a IDENTIFIED BY 'abc'", `CREATE USER a IDENTIFIED BY '${X}'`],
  ['XML', '<server><password>abc</password></server>', `<server><password>${X}</password></server>`],
  ['netrc', 'machine h login a password b', `machine h login a password ${X}`],
  ['a personal access token by name', 'GH_PAT=abc', `GH_PAT=${X}`],
];

/** What users need to see, close as it may be to a secret. */
const HARMLESS: string[] = [
  'password authentication failed for user "shop"',
  'Unexpected token < in JSON at position 0',
  "Unexpected token: 'foo'",
  'token: expired',
  'auth: connection refused',
  'authorization: denied for user shop',
  'Authorization: Token required',
  'Cookie: not set',
  'Bearer authentication is not supported',
  'WWW-Authenticate: Bearer realm="x"',
  'Basic authentication failed',
  'secret: version 12 of it is gone',
  'the option --token is required',
  'run it with --password or without',
  'password=',
  'password=none token=null',
  made('DB_PASSWORD=$', '{DB_PASSWORD}'),
  'password: ****',
  'PWD=/srv/shop OLDPWD=/srv',
  'TOKEN_FILE=/run/secrets/token SSH_AUTH_SOCK=/tmp/agent.1',
  'DB_SECRET=/run/secrets/db_secret',
  'primaryKey=id cacheKey=deps-12345678 publicKey=abcdef123',
  'pass=12 fail=0',
  'total tokens: 512 maxTokens=4096',
  'nextPageToken=abcdef',
  'http://localhost:3000/@vite/client',
  'http://[::1]:3000/@vite/client',
  'ssh://git@github.com/o/r.git',
  'postgres://postgres@localhost:5432/shop',
  made('postgres://shop:$', '{DB_PASSWORD}@db/shop'),
  'https://first.lastname1@host.example/x',
  'https://example.org/?key=short&code=404',
  'docker run --user node:node --name task-runner-with-a-long-name',
  'docker run --name mysql -p3306:3306 -p 127.0.0.1:33060:33060/tcp mysql:8',
  'mysql -u root -p shop',
  'docker login failed on port 5000; ssh -p 2222 host',
  'mkdir -p /var/lib/mysql && chown -R mysql /var/lib/mysql',
  'disk-usage-of-the-task-queue is 91%',
  'node_modules/sk-learn-like-name-of-a-package',
  'npm_config_registry and npm_package_dependencies_something_long',
  'image shop@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  made('-----BEGIN ', 'PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END ', 'PUBLIC KEY-----'),
  'mail to someone@example.org',
  'a == b, token === undefined',
  '/run/secrets/token: no such file',
  'secret://vault/path',
  'pass=12/12 pass=100% pass=34ms pass=ok pwd=/srv/shop PWD=/srv/My PWD=C:\\Shop',
  'pass: smoke, 3 more',
  'password: [] tokens: 12 roles: ["admin"] [status] => ok',
  '(using password: NO) monkey=12345678 keyboard: us compass=north-east bypass=12',
  'GET /token 401 id 550e8400-e29b-41d4-a716-446655440000 on 127.0.0.1:5432',
  'redis://cache:6379 is up, mail ops@example.org',
  'see postgres://db:5432, or ask ops@example.org',
  'gsk_builder dapi-server dp.pt.json lin_api_client NRAK-less sbp_list shpat_url',
  'build:auth:prod docker:secret:list state.token:12',
  '\u001b[32mready\u001b[39m on \u001b[1mhttp://localhost:3000\u001b[22m',
];

describe('redacting a text', () => {
  it.each(LEAKS)('takes the secret out of %s', (_, text, safe) => {
    expect(redact(text)).toBe(safe);
    expect(redact(safe)).toBe(safe);
  });

  it.each(LEAKS)('takes the secret out of %s in the middle of a log', (_, text) => {
    const log = redact(`12:00:01 ready\n${text}`);
    expect(log.startsWith('12:00:01 ready\n')).toBe(true);
    expect(log).toContain(X);
  });

  it.each(HARMLESS)('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('has a case for every shape', () => {
    const texts = [...LEAKS.map(([, text]) => text), ...secretCases.map(whole)];
    const unused = SECRET_SHAPES.filter(({ mask }) => texts.every((text) => mask(text) === text));
    expect(unused.map(({ name }) => name)).toEqual([]);
  });

  it('looks at every text with a shape, because the shape has a hint in it', () => {
    for (const { name, hints, mask } of SECRET_SHAPES) {
      const isHinted = (text: string) => hints.some((hint) => text.toLowerCase().includes(hint));
      const missed = LEAKS.filter(([, text]) => mask(text) !== text && !isHinted(text));
      expect(missed, name).toEqual([]);
    }
  });

  it('gives up the whole text when every replacement brings out another secret', () => {
    const redactWithKnown = createTextRedactor(['cted]x']);
    expect(redactWithKnown('cted]xx')).toBe('[reda[redacted]');
    expect(redactWithKnown(`cted]${'x'.repeat(20)}`)).toBe(X);
  });
});
