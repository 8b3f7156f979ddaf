import { CREDENTIAL_HINTS } from './credential-name.js';
import { maskLabelledSecrets } from './labelled-secrets.js';
import { maskPrivateKeys } from './private-key.js';
import { REDACTED } from './redacted.js';
import { maskUserinfo } from './url-userinfo.js';

/** A way in which a secret can be recognised without knowing it. */
export interface SecretShape {
  readonly name: string;
  /** Every text with this shape has one of these in it, in any case; here in lower case. Others are not looked at. */
  readonly hints: readonly string[];
  /** The text without its secrets of this shape. Takes time in proportion to the length of the text. */
  mask(text: string): string;
}

/** The value itself is recognised, by a prefix that its issuer gave it for this very purpose. */
function token(name: string, hints: string, pattern: RegExp): SecretShape {
  // The prefix begins a word, or follows an escape in a URL: `task-…` has no `sk-…` in it.
  const whole = new RegExp(`(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))(?:${pattern.source})`, 'g');
  return { name, hints: hints.split(' '), mask: (text) => text.replace(whole, REDACTED) };
}

/** The first group stays, the rest of the match goes, if it `looks` like a secret. */
function after(
  name: string,
  hints: string,
  pattern: RegExp,
  looks: (value: string) => boolean = (value) => value !== REDACTED,
): SecretShape {
  const mask = (text: string) =>
    text.replace(pattern, (whole: string, kept: string) =>
      looks(whole.slice(kept.length)) ? kept + REDACTED : whole,
    );
  return { name, hints: hints.split(' '), mask };
}

/** The shapes, in the order in which they are looked for: those that take more of the text come first. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { name: 'private key', hints: ['private key'], mask: maskPrivateKeys },
  { name: 'user part of a URL', hints: ['@'], mask: maskUserinfo },

  // `=` in it: a header with cookies, not a sentence about them. At the start of its line it has the whole line.
  after(
    'cookie header line',
    'cookie',
    /^([<>*\s]{0,8}(?:set-)?cookie2?:[ \t]*)(?=[^\s=;]{1,256}=)[^\r\n]+/gim,
  ),
  after('cookie header', 'cookie', /((?<![\w-])(?:set-)?cookie2?:[ \t]*)(?=[^\s=;"']{1,256}=)[^\r\n"'`]+/gi),
  after(
    'digest header',
    'authorization',
    /(authorization:[ \t]*(?:digest|hawk|oauth|mac|ntlm|aws4-hmac-sha256)[ \t]+)[^\r\n]+/gi,
  ),
  after(
    'authorization header',
    'authorization',
    /([Aa]uthorization\\?["']?[ \t]*[:=][ \t]*\\?["']?(?:Bearer|Basic|Token|Negotiate|ApiKey|JWT)[ \t]+)[^\s"'`\\,;]+/g,
    isNoWord,
  ),
  after(
    'bearer token',
    'bearer',
    /((?<![\w-])bearer[ \t]+)[\w.~+/=-]{8,}/gi,
    (value) => /\d/.test(value) || value.length >= 24,
  ),
  after(
    'basic credentials',
    'basic',
    /((?<![\w-])basic[ \t]+)[A-Za-z0-9+/_-]{6,}={0,2}/gi,
    isUserAndPassword,
  ),

  // Not after a `-` or `_` either, which may be part of a token: otherwise many of them without a dot cost too much.
  token('JSON web token', 'eyj', /(?<![_-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}/),
  token('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', /gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}/),
  token(
    'GitLab',
    'glpat- glptt- gldt- glrt- glcbt- glsoat- glft-',
    /gl(?:pat|ptt|dt|rt|cbt|soat|ft)-[\w-]{16,}/,
  ),
  token('Slack', 'xox xapp-', /xox[a-z]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}/),
  after(
    'Slack webhook',
    'hooks.slack.com',
    /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{16,}/g,
  ),
  after(
    'Discord webhook',
    'discord',
    /(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,24}\/)[\w-]{16,}/g,
  ),
  after('Teams webhook', 'webhook.office.com', /(webhook\.office\.com\/webhookb2\/)[\w@/-]{16,}/g),
  after('Telegram bot', 'api.telegram.org', /(api\.telegram\.org\/(?:file\/)?bot)\d{1,20}:[\w-]{20,}/g),
  token('npm', 'npm_', /npm_[A-Za-z0-9]{30,}/),
  token('PyPI', 'pypi-', /pypi-[\w-]{32,}/),
  token('Docker Hub', 'dckr_', /dckr_(?:pat|oat)_[\w-]{20,}/),
  token('AWS key', 'akia asia', /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/),
  token('Google', 'aiza ya29. gocspx-', /AIza[\w-]{35}|ya29\.[\w.-]{20,}|GOCSPX-[\w-]{20,}/),
  token(
    'Stripe',
    'sk_live_ rk_live_ sk_test_ rk_test_ whsec_',
    /[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[\w+/=]{16,}/,
  ),
  // With a digit or a capital in it: `sk-` also begins names of packages.
  token('OpenAI, Anthropic', 'sk-', /sk-(?=[a-z_-]{0,64}[0-9A-Z])[\w-]{20,}/),
  token('SendGrid', 'sg.', /SG\.[\w-]{16,}\.[\w-]{16,}/),
  token('Vault', 'hvs. hvb.', /hv[sb]\.[\w-]{20,}/),
  token('Hugging Face', 'hf_', /hf_[A-Za-z0-9]{30,}/),
  token('DigitalOcean', 'dop_v1_ doo_v1_', /do[op]_v1_[a-f0-9]{32,}/),
  token('age', 'age-secret-key-', /AGE-SECRET-KEY-1[A-Z0-9]{20,}/),
  token('Groq', 'gsk_', /gsk_[A-Za-z0-9]{20,}/),
  token('Shopify', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/),
  token('Grafana', 'glsa_ glc_', /glsa_[A-Za-z0-9]{20,}(?:_[A-Fa-f0-9]{8})?|glc_eyJ[\w+/=]{20,}/),
  token('Supabase', 'sbp_ sb_secret_', /sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,}/),
  token('Databricks', 'dapi', /dapi[a-f0-9]{32}(?:-\d)?/),
  token('Linear', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9]{20,}/),
  token('Doppler', 'dp.', /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,64}\.)?[A-Za-z0-9]{30,}/),
  token('New Relic', 'nrak- nrjs- nrii- nrra-', /NR(?:AK|JS|II|RA)-[A-Za-z0-9_-]{16,}/),
  // Three characters, the 8 or 7 of the version, and a mark that nothing else has.
  token('Azure client', 'q~', /[A-Za-z0-9_~.-]{3}\dQ~[\w~.-]{31,34}/),
  token('Azure key', 'jqqj9', /[A-Za-z0-9+/]{52}JQQJ9[A-Za-z0-9+/]{20,36}={0,2}/),
  token('Azure storage key', '+ast', /[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5,6}={0,2}/),

  after('signature in a query', 'sig= signature=', /([?&;](?:[\w-]{0,32}-)?sig(?:nature)?=)[^&\s"'`#<>]+/gi),
  // `?key=` and `?code=` are harmless when short.
  after('key or code in a query', '?key= &key= ?code= &code=', /([?&](?:key|code)=)[^&\s"'`#<>]{16,}/gi),
  // With spaces in it, if another setting follows.
  after(
    'password of several words in a connection string',
    'password= pwd=',
    /((?<![\w.-])(?:password|pwd)=)[^;&"'`\r\n]{1,256}(?=[;&][ \t]{0,8}[A-Za-z][A-Za-z ]{0,63}=)/gi,
  ),
  // After another setting it goes on to the next or to the end, spaces and all.
  after('password of a connection string', 'password pwd', /(;[ \t]*(?:password|pwd)=)[^;"'`\r\n]+/gi),
  after(
    'user and password for Oracle',
    'jdbc:oracle:',
    /(jdbc:oracle:[a-z]{1,8}:[^\s/@"'`]{1,64}\/)[^\s@"'`]{1,128}(?=@)/gi,
  ),
  after(
    'user and password for a driver',
    '@tcp( @unix(',
    /((?<![\w.-])[\w.-]{1,64}:)[^\s:/"'`@]{1,128}(?=@(?:tcp|unix)\()/g,
  ),
  { name: 'user and password for curl', hints: ['curl'], mask: maskCurlUser },
  // `docker run --name mysql -p3306:3306` has a port there.
  after(
    'password for MySQL',
    'mysql mariadb',
    /((?<![\w-])(?:mysql|mariadb)(?:-?(?:admin|dump|check|import|show))?(?![\w./:-])[^\r\n;|&]{0,256}?[ \t"',]-p)[^\s"'`,]+/g,
    (value) => value !== REDACTED && !/^[\d.:/-]+(?:tcp|udp)?$/.test(value),
  ),
  after(
    'password of a login',
    'login sshpass redis-cli',
    /((?<![\w-])(?:(?:docker|podman|buildah|skopeo|oras|az)[ \t]login(?![\w-])[^\r\n;|&]{0,256}?[ \t]-p|sshpass[ \t]{1,8}-p|redis-cli(?![\w./:-])[^\r\n;|&]{0,256}?[ \t"',]-a)[ \t"',=]{0,4})[^\s"'`,]+/g,
  ),
  after(
    'password in SQL',
    'identified password',
    /((?<![\w-])(?:identified[ \t]+by|password)[ \t]+')[^'\r\n]+/gi,
  ),
  after('netrc', 'password', /((?<![\w-])login[ \t\n]+\S{1,128}[ \t\n]+password[ \t\n]+)\S+/gi),
  { name: 'labelled secret', hints: CREDENTIAL_HINTS, mask: maskLabelledSecrets },
];

/** `Basic authentication failed` is a sentence: what is after the word must be a name, a colon and a password. */
function isUserAndPassword(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]*:[\x20-\x7e\x80-\xff]*$/.test(decoded);
}

/** `Authorization: Token required` is a sentence. */
function isNoWord(value: string): boolean {
  return value !== REDACTED && !/^[a-z]{1,12}$/.test(value);
}

/** Only for curl: `docker run --user node:node` names a user and a group. */
function maskCurlUser(text: string): string {
  if (!text.includes('curl')) return text;
  return text.replace(/((?<![\w-])(?:-u|--user)[ \t=]["']?[^\s:"'`/]{1,128}:)[^\s"'`]+/g, `$1${REDACTED}`);
}
