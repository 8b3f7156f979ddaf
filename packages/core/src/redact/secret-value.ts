import { REDACTED } from './redacted.js';

/** Shorter values would be found by chance in the middle of harmless words. */
const MIN_LENGTH = 6;

/** Shorter numbers are ports, sizes, process ids and years far more often than secrets. */
const MIN_DIGITS = 10;

/** Shorter runs of lower-case letters are words: a password `orders` would blank the service of that name. */
const MIN_LETTERS = 8;

/** Values that say that there is no secret, or whether there is one. */
const SETTING = new Set(
  ['', 'true', 'false', 'yes', 'no', 'on', 'off', 'null', 'nil', 'none', 'undefined', 'required', 'optional', 'missing', 'expired'], // biome-ignore format: one line reads better
);

/**
 * Default passwords of development images and other words that stand in nearly every message. Blanking them
 * everywhere would make reports useless and protect nothing: everyone knows them.
 */
const ORDINARY = new Set(
  `password password1 passwd123 secret secrets changeme changeit default example postgres postgresql mariadb mongodb
  rabbitmq minioadmin elastic localhost development production staging testing container service services network
  database username administrator anonymous disabled enabled unknown redacted`.split(/\s+/),
);

/** Somewhere else to look for the secret: a variable, a template, a vault. */
const REFERENCE =
  /^(?:\$\{[^{}]*\}|\{\{[^{}]*\}\}|%\w+%|<[^<>]*>|\*+|(?:op|file|vault|ssm):\/\/\S*|arn:aws[\w-]*:\S*)$/;

/** A path, as in `GOOGLE_APPLICATION_CREDENTIALS`. Upper case only in known places: base64 may begin with `/` too. */
const PATH =
  /^(?:(?:~|\.{1,2})?(?:\/[a-z0-9_.@-]+)+\/?|\/(?:Users|home|Library|Volumes|var|opt|etc)\/[^+=]*|[A-Za-z]:\\.*)$/;

/** Tells whether a value is enough of a secret to be looked for in every text. */
export function isSecretValue(value: string): boolean {
  const trimmed = value.trim();
  if (trimmed.length < MIN_LENGTH || isNoSecret(trimmed) || ORDINARY.has(trimmed.toLowerCase())) return false;
  if (trimmed.length < MIN_DIGITS && /^[\d.,:-]+$/.test(trimmed)) return false;
  if (trimmed.length < MIN_LETTERS && /^[a-z]+$/.test(trimmed)) return false;
  // What is part of the replacement would survive in it.
  return !REDACTED.includes(trimmed);
}

/** Tells whether a value under the name of a credential is none: a setting, a reference, or redacted already. */
export function isNoSecret(value: string): boolean {
  if (value === REDACTED) return true;
  if (value.length < 10 && SETTING.has(value.toLowerCase())) return true;
  return value.length < 1024 && (REFERENCE.test(value) || PATH.test(value));
}

/** Tells whether a word after `token: ` is more likely a secret than a word of a sentence. */
export function looksGenerated(value: string): boolean {
  // The beginning is enough, and looking no further keeps the whole search linear.
  const start = value.slice(0, 256);
  if (start.length < MIN_LENGTH || isNoSecret(value)) return false;
  return /[\d!@#$%^*+=~]/.test(start) || (start.length >= 20 && /[a-z]/.test(start) && /[A-Z]/.test(start));
}

/** Tells whether what stands after `pass=` or `pwd=` is a password: no count, no measure, no folder and no outcome. */
export function isPasswordAfterShortName(value: string): boolean {
  // No folder is as long, and to read so much after each of many labels would take too long.
  if (value.length >= 1024) return true;
  return !/^(?:[\d.,/:]{1,5}\s?(?:%|m?s)?|[~./\\].*|[A-Za-z]:[\\/].*|ok|fail(?:ed)?|skip(?:ped)?)$/is.test(
    value,
  );
}
