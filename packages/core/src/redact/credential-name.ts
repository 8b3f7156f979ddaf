/** A word that ends in one of these is the name of a secret, wherever it stands: `PGPASSWORD`, `SECRET_KEY_BASE`. */
const CREDENTIAL_WORD =
  /(?:password|passwords|passwd|passphrase|passcode|secret|secrets|token|apikey|accesskey|secretkey|privatekey|signingkey|masterkey|accountkey|credential|credentials|authorization)$/;

/** These name a secret only at the end: `_auth`, `REDISCLI_AUTH`, `set-cookie`, but not `AUTH_MODE`. */
const CREDENTIAL_ENDING = new Set([
  'auth',
  'cookie',
  'cookies',
  'creds',
  'jwt',
  'bearer',
  'dbpass',
  'sshpass',
]);

/** `key` alone is a key of anything (`cacheKey`, `PRIMARY_KEY`, `publicKey`); after one of these it is a secret. */
const SECRET_KEY_OF = new Set(
  `api access secret private signing encryption decryption master account auth admin service role anon session
  shared storage subscription app application license licence deploy ssh webhook hmac jwt client integration`.split(
    /\s+/,
  ),
);

/** `pass` alone is what a check does; after one of these it is short for a password: `DB_PASS`, `smtpPass`. */
const PASSWORD_OF = new Set(
  `db database user default admin root smtp mail email imap ftp sftp redis mysql maria mariadb mongo postgres pg
  rabbitmq amqp mqtt ldap basic auth http proxy login ssh sudo vault keystore cert registry docker`.split(
    /\s+/,
  ),
);

/** `pat` is short for a personal access token after the name of a forge, else it may be a pattern. */
const FORGES = new Set(['gh', 'github', 'gitlab', 'git', 'azure', 'devops', 'ado', 'bitbucket']);

/** Tokens that are places in a list or handles in a program, not secrets: `nextPageToken`, `cancellationToken`. */
const HARMLESS_TOKEN_OF = new Set(['page', 'continuation', 'cancellation', 'cancel', 'sync', 'unexpected']);

/**
 * A name that ends in one of these tells something about the secret, not the secret itself: `TOKEN_FILE`,
 * `SSH_AUTH_SOCK`, `passwordPolicy`, `AWS_ACCESS_KEY_ID`, `token_expires_in`. Users need to see those.
 */
const DESCRIPTION = new Set(
  `file files filename path paths dir directory folder sock socket url uri endpoint host port name names id ids type
  kind length len count size ttl expiry expires expired expiration timeout interval in at age policy policies rule
  rules algorithm alg header field prefix suffix format version limit limits min max usage enabled disabled required
  provider backend manager store helper region arn ref reference status state error errors hint command cmd method
  mode scope scopes issuer audience index position strength prompt label title description message user username
  owner email location source template pattern regex schema budget cost line column env variable var`.split(
    /\s+/,
  ),
);

/** A text that labels a secret with such a name has one of these in it, in any case. */
export const CREDENTIAL_HINTS: readonly string[] =
  `pass pwd secret token key auth cookie cred jwt bearer pat= pat: pat" pat' pat_ pat-`.split(' ');

/** Names that hold several secrets, each under a name of its own: `secrets: { db: … }`. */
const CONTAINER = /^(?:passwords|secrets|tokens|credentials|creds|cookies)$/;

/** Tells whether a variable, option, header or property of this name holds a secret. */
export function namesCredential(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || DESCRIPTION.has(last)) return false;
  return CREDENTIAL_ENDING.has(last) || words.some((word, at) => isCredential(word, words[at - 1]));
}

/** Tells whether a name is that of a password, and not of some other credential. */
export function namesPassword(name: string): boolean {
  return /(?:pass(?:word|wd|phrase|code))$/i.test(name);
}

/** `pass` and `pwd` alone are what a check does and where a shell is, and now and then a password: the value has to tell. */
export function namesPasswordShortly(name: string): boolean {
  return /^-{0,2}(?:pass|pwd)$/i.test(name);
}

/** Tells whether an object of this name holds secrets under names of their own. */
export function namesCredentialContainer(name: string): boolean {
  return CONTAINER.test(wordsOf(name).at(-1) ?? '');
}

/** Tells whether a name tells something about a secret, such as where it is kept. */
export function describesCredential(name: string): boolean {
  return DESCRIPTION.has(wordsOf(name).at(-1) ?? '');
}

function isCredential(word: string, before: string | undefined): boolean {
  if (word === 'token' && before !== undefined && HARMLESS_TOKEN_OF.has(before)) return false;
  if (CREDENTIAL_WORD.test(word)) return true;
  if (before === undefined) return false;
  if (word === 'key') return SECRET_KEY_OF.has(before);
  if (word === 'pass') return PASSWORD_OF.has(before);
  if (word === 'pat') return FORGES.has(before);
  // `PWD` and `OLDPWD` are folders in every shell; `MYSQL_PWD` is a password.
  return word === 'pwd' && before !== 'old';
}

/** `DB_PASSWORD`, `dbPassword` and `db-password` are all `db`, `password`. A name is never longer than this reads. */
function wordsOf(name: string): string[] {
  const words =
    name
      .slice(-256)
      .replaceAll('OAuth', 'Oauth')
      .match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}
