/**
 * Why the daemon cannot be used. `misconfigured`: the client does not know where to look for it. `not-an-engine`: something
 * answers there, but not to the simplest question that every engine answers.
 */
export const daemonReasons = [
  'not-installed',
  'not-running',
  'no-permission',
  'hung',
  'too-old',
  'tls',
  'misconfigured',
  'not-an-engine',
] as const;

/** Why the daemon cannot be used. */
export type DaemonReason = (typeof daemonReasons)[number];

/** What a daemon that works can say instead of doing as it is told. */
export const answers = [
  'missing',
  'name-taken',
  'port-taken',
  'no-space',
  'image-not-found',
  'image-denied',
  'image-wrong-platform',
  'registry-unreachable',
  'registry-rate-limited',
  'command-missing',
  'conflict',
  'build-failed',
  'invalid',
  'failed',
] as const;

/** What a daemon that works can say instead of doing as it is told. */
export type Answer = (typeof answers)[number];

/** How a command ended that did not do its work. */
export interface CommandFailure {
  /** What the client wrote to its stderr. */
  readonly stderr: string;
  /** The system's code when the client could not be started, such as `ENOENT`. */
  readonly systemCode?: string | undefined;
  /** It took longer than a daemon that works would. */
  readonly timedOut?: boolean;
}

/** A host port that is taken. */
export interface TakenPort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

/** What a failure means: the daemon is at fault, or it answered. */
export type Failure =
  | { readonly kind: 'daemon'; readonly reason: DaemonReason }
  | { readonly kind: 'answer'; readonly answer: Exclude<Answer, 'port-taken'> }
  | { readonly kind: 'answer'; readonly answer: 'port-taken'; readonly taken: TakenPort };

// What the daemon itself says about our client comes as an answer of the daemon and is still its fault. So do the
// words of the proxy in front of the engine of Docker Desktop, which is there when the engine is not.
const refusals: readonly (readonly [RegExp, DaemonReason])[] = [
  [/client version \S+ is too (new|old)/i, 'too-old'],
  [/client sent an HTTP request to an HTTPS server/i, 'tls'],
  [/Docker Desktop is (unable to start|starting|stopping|manually paused|not running)/i, 'not-running'],
  [/request returned (5\d\d |Internal Server Error|Bad Gateway|Service Unavailable)/i, 'not-running'],
];

const said = /^(docker: )?Error response from daemon: /im;

// In order: an earlier one is more particular. They hold only when no answer of the daemon is among the words, because
// the daemon talks to registries, and reports on them in the same words as the client does on the daemon.
const silences: readonly (readonly [RegExp, DaemonReason])[] = [
  [/permission denied while trying to connect to the docker (daemon|API)/i, 'no-permission'],
  [
    /(dial unix|podman).*permission denied|Permission denied \(publickey|Host key verification failed/i,
    'no-permission',
  ],
  [/requires API version [\d.]+, but the Docker daemon API version is/i, 'too-old'],
  [/x509: |tls: |server gave HTTP response to HTTPS client|certificate|\.pem: /i, 'tls'],
  [
    /unable to resolve docker endpoint|context not found|unable to parse docker host|Current context .* is not found/i,
    'misconfigured',
  ],
  [/context deadline exceeded|Client\.Timeout exceeded|i\/o timeout|TLS handshake timeout/i, 'hung'],
  [
    /cannot connect to (the docker daemon|podman)|failed to connect to the docker API|unable to connect to podman/i,
    'not-running',
  ],
  [/error during connect: |is the docker daemon running\?|docker daemon is not running/i, 'not-running'],
  // The daemon went away in the middle of its answer.
  [/^(.*error waiting for container: )?unexpected EOF"?$/m, 'not-running'],
];

const registry = /https?:\/\/[^\s"]+\/v[12]\/|registry|failed to do request|received unexpected HTTP status/i;
const network =
  /no such host|dial tcp|timeout|deadline exceeded|connection re(fused|set)|EOF|x509|tls: |HTTP/i;

const spoken: readonly (readonly [RegExp, Exclude<Answer, 'port-taken'>])[] = [
  [/no space left on device|disk quota exceeded/i, 'no-space'],
  [/toomanyrequests|pull rate limit/i, 'registry-rate-limited'],
  [/no matching manifest for|does not match the specified platform/i, 'image-wrong-platform'],
  [
    /pull access denied|manifest unknown|manifest for .* not found|repository .* not found/i,
    'image-not-found',
  ],
  [
    /unauthorized|authentication required|no basic auth credentials|requested access to the resource is denied/i,
    'image-denied',
  ],
  [
    /name "?\S+ is already in use|with name \S+ already exists|already used: network already exists|name must be unique/i,
    'name-taken',
  ],
  [
    /executable file (`[^`]*` )?not found|exec: .*(no such file or directory|permission denied|is a directory)|open executable: /i,
    'command-missing',
  ],
  [
    /no such (container|image|network|volume|object|exec)|(network|volume) \S+ not found|network not found|image not known/i,
    'missing',
  ],
  [
    /\bconflict\b|is not running|is (already )?(in use|paused)|active endpoints|cannot remove|removal of container .* in progress|marked for removal|dependent child images/i,
    'conflict',
  ],
  [
    /failed to solve|returned a non-zero code|dockerfile parse error|failed to (build|read dockerfile)/i,
    'build-failed',
  ],
  [
    /invalid |unknown (flag|command|shorthand)|is not a docker command|requires (at least|exactly)/i,
    'invalid',
  ],
];

/** Tells a fault of the daemon from an answer that is not the wished one. */
export function classifyFailure({ stderr, systemCode, timedOut = false }: CommandFailure): Failure {
  if (systemCode === 'ENOENT' || systemCode === 'EACCES') return { kind: 'daemon', reason: 'not-installed' };
  if (timedOut) return { kind: 'daemon', reason: 'hung' };
  const reason = find(refusals, stderr) ?? (said.test(stderr) ? undefined : find(silences, stderr));
  if (reason !== undefined) return { kind: 'daemon', reason };
  const taken = takenPort(stderr);
  if (taken) return { kind: 'answer', answer: 'port-taken', taken };
  const answer = find(spoken, stderr);
  if (answer !== undefined) return { kind: 'answer', answer };
  const isRegistry = registry.test(stderr) && network.test(stderr);
  return { kind: 'answer', answer: isRegistry ? 'registry-unreachable' : 'failed' };
}

function find<Meaning>(table: readonly (readonly [RegExp, Meaning])[], text: string): Meaning | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

/** The host port that could not be bound, from the many ways in which engines have said so. */
function takenPort(stderr: string): TakenPort | undefined {
  const complaint = stderr
    .split('\n')
    .find((line) => /already allocated|address already in use|Only one usage of each socket/i.test(line));
  if (complaint === undefined) return undefined;
  const patterns = [
    /bind for \S*:(\d+) failed/i,
    /failed to bind host port (?:for )?(?:\[[^\]]*\]|[^\s:/]+):(\d+)/i,
    /exposing port (?:tcp|udp) \S*?:(\d+) ->/i,
    /listen (?:tcp|udp)\d? \S*?:(\d+): /i,
  ];
  const port = patterns.map((pattern) => pattern.exec(complaint)?.[1]).find((found) => found !== undefined);
  if (port === undefined) return undefined;
  return { port: Number(port), protocol: /\/udp|listen udp|port udp/i.test(complaint) ? 'udp' : 'tcp' };
}
