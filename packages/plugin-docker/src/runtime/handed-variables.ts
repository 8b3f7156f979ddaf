/** How a command is given variables of which its arguments tell no value: every user of a machine can read those. */
export interface HandedVariables {
  /** The names whose values the client takes from its own environment. */
  readonly names: string[];
  readonly env: Record<string, string>;
  /** What the client would take as meant for itself there: a file of lines, which it reads from its input. */
  readonly file: string;
}

/** Where a client reads its input as a file. */
export const inputFile = '/dev/stdin';

/** What the Docker client, the system's loader and the helpers read that the client starts. */
const readByTheClient = new RegExp(
  `^(?:${[
    ...['PATH', 'HOME', 'TMPDIR', 'SHELL', 'IFS', 'PS4', 'BASH_ENV', 'BASHOPTS', 'SHELLOPTS', 'BASH_FUNC_.*'],
    'DOCKER_(?:API_VERSION|AUTH_CONFIG|BUILDKIT|CERT_PATH|CLI_.*|CONFIG|CONTENT_TRUST.*|CONTEXT|CUSTOM_HEADERS)',
    'DOCKER_(?:DEFAULT_PLATFORM|HIDE_LEGACY_COMMANDS|HOST|TLS|TLS_VERIFY)',
    ...['BUILDKIT_(?:COLORS|HOST|PROGRESS|TTY_LOG_LINES)', 'BUILDX_.*', 'EXPERIMENTAL_.*', 'OTEL_.*'],
    ...['GODEBUG', 'GOGC', 'GOMAXPROCS', 'GOMEMLIMIT', 'GOTRACEBACK', 'GOCOVERDIR', 'SSL_CERT_(?:DIR|FILE)'],
    ...['LD_.*', 'DYLD_.*', 'GLIBC_TUNABLES', 'GCONV_PATH', 'LOCPATH', 'MALLOC_TRACE', 'XDG_.*'],
    ...['SSH_(?:AUTH_SOCK|ASKPASS|ASKPASS_REQUIRE|SK_PROVIDER)', 'DBUS_SESSION_BUS_ADDRESS'],
    'GIT_(?:ASKPASS|CONFIG.*|DIR|EXEC_PATH|INDEX_FILE|PROXY_COMMAND|SSH|SSH_COMMAND|TRACE.*|WORK_TREE)',
  ].join('|')})$`,
  's',
);
const proxy = /^(?:https?|ftp|all|no)_proxy$/i;
/** Other names some shells do not pass on, and a client may be a script. */
const plain = /^[a-z_]\w*$/i;

/** Hands variables to a container. Throws when there is no way for one of them. */
export function handVariables(variables: Readonly<Record<string, string>>): HandedVariables {
  const handed = { names: [] as string[], env: {} as Record<string, string>, file: '' };
  for (const [name, value] of Object.entries(variables)) {
    const isRead = readByTheClient.test(name) || proxy.test(name);
    const isLine = !/[\r\n]/.test(value) && !name.startsWith('#');
    if (isRead && !isLine) {
      throw new Error(
        `the Docker client would take ${name} as meant for itself, and with a line break in it there is no other way to hand it over; mount it as a file, or give it another name`,
      );
    }
    if (isLine && (isRead || !plain.test(name))) {
      handed.file += `${name}=${value}\n`;
      continue;
    }
    handed.names.push(name);
    handed.env[name] = value;
  }
  return handed;
}

/**
 * Hands arguments to a build, for which the client knows no file. What it would take as meant for itself is refused, but for
 * proxies: those of a build are meant for whatever fetches something for it.
 */
export function handBuildArguments(
  variables: Readonly<Record<string, string>>,
): Pick<HandedVariables, 'names' | 'env'> {
  const names = Object.keys(variables);
  const refused = names.find((name) => readByTheClient.test(name));
  if (refused !== undefined)
    throw new Error(`the Docker client would take ${refused} as meant for itself; give it another name`);
  return { names, env: { ...variables } };
}
