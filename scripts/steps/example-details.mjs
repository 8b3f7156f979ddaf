/** @typedef {import('@argusai/core').ErrorCode} ErrorCode */
/** @typedef {import('./explained-codes.mjs').ExplainedCode} ExplainedCode */

/** What stands in an example for a field of a name, whatever the code. */
const usual = {
  service: 'api',
  runId: 'mwiw34frd95a',
  port: 8080,
  pid: 4711,
  host: 'box',
  command: 'node server.js',
  container: 'argus-shop-mwiw34frd95a-api',
  id: '4f2a9c1d7e30',
  exitCode: 1,
  finishedAt: 1790000000000,
  lines: ['Error: connect ECONNREFUSED 127.0.0.1:5432'],
  outputs: ['GET /health answered 503'],
  plugin: 'licence',
  checker: 'licence.server',
  circuit: 'docker',
  failureCount: 5,
  retryAfterMs: 30000,
  lastError: 'The Docker daemon does not answer',
  lastFailureAt: 1790000000000,
  operation: 'clean',
  declined: false,
  folder: '/srv/other',
  allowed: ['/srv/shop'],
  asked: '9f1c2a',
  recoverer: 'docker.restart-container',
  target: 'api',
  movedTo: '~/.local/state/argus/state.db.damaged-1790000000000',
  store: '~/.local/state/argus/state.db',
  available: 900000000,
  required: 2000000000,
  total: 250000000000,
  path: '/srv/shop',
  mount: '/',
  paths: [{ path: '/srv/shop', use: 'project' }],
  check: 'GET http://localhost:8080/health',
  tries: 10,
  memoryLimit: 256000000,
  memoryPeak: 255000000,
  signal: 'SIGKILL',
  suite: 'smoke',
  notRun: ['e2e'],
  attempts: 3,
  pattern: 'crash-loop',
  cause: { code: 'CONTAINER_CRASH', message: 'api ended unexpectedly: exit code 1' },
  history: [{ attempt: 1, reason: 'exit code 1', verdict: 'failed' }],
  endpoint: 'unix:///var/run/docker.sock',
  output: 'Error response from daemon',
  failures: 3,
  reclaimable: 15000000000,
  threshold: 10000000000,
  kinds: [{ kind: 'Images', count: 12, size: 18000000000, reclaimable: 15000000000 }],
  windowMs: 300000,
  exits: 3,
  exitCodes: [1, 1, 1],
  keeperPid: 4710,
  tried: 64512,
  range: '1024-65535',
  source: 'this machine',
  topology: [{ network: 'argus-shop-mwiw34frd95a', containers: ['argus-shop-mwiw34frd95a-api'] }],
  dns: { resolved: true, addresses: ['127.0.0.1'] },
  systemCode: 'ECONNREFUSED',
  network: null,
  containers: [],
  url: 'https://example.com/health',
  expected: '200',
  excerpt: 'Service Unavailable',
  latencyMs: 850,
  limitMs: 500,
  validTo: 1790000000000,
  daysLeft: 6,
  requiredDays: 14,
  name: 'argus-shop-mwiw34frd95a-api',
  createdAt: '2026-09-21T14:13:20.000Z',
  project: 'shop',
  worktree: '/srv/shop',
  runtime: 'docker',
  why: 'its run ended without taking it down',
  status: 'exited',
};

/**
 * What stands there instead in one code.
 * @type {Record<string, Record<string, unknown>>}
 */
const particular = {
  CONFIG_INVALID: {
    file: '/srv/shop/argus.config.yaml',
    problems: [{ path: 'servics', message: 'unknown key "servics", did you mean "services"?', line: 3 }],
  },
  CONFIG_PASSED_OVER: { file: '/srv/shop/argus.config.yaml', passedOver: ['/srv/shop/e2e.yaml'] },
  CONFIG_EXISTS: { file: 'argus.config.yaml' },
  HOST_FILE_KEPT: { file: '/srv/shop/.mcp.json', reason: 'not-json' },
  HOST_FILE_UNWRITABLE: { file: '/srv/shop/.mcp.json', reason: 'permission denied' },
  CONFIG_UNWRITABLE: { file: '/srv/shop/argus.config.yaml', reason: 'permission denied' },
  DEPENDENCY_RESTARTED: { with: 'db', path: ['db'] },
  PLUGIN_BLOCKED: { plugin: 'licence', checks: ['licence.server'], where: '/srv/shop/checks/licence.mjs:12' },
  PLUGIN_INVALID: { problems: ['the checker "server" is not called <plugin>.<what>, such as disk.space'] },
  OUTPUT_INVALID: {
    operation: 'licence-seats',
    problems: ['free: Invalid input: expected number, received string'],
  },
  PLUGIN_INCOMPATIBLE: {
    file: '/srv/shop/argus.config.yaml',
    core: '0.1.0',
    problems: [
      {
        path: 'plugins[1]',
        message: 'plugin argusai-plugin-lamp is made for @argusai/core ^99.0.0, and this argus has 0.1.0',
        line: 4,
      },
    ],
  },
  HEALTH_UNKNOWN: { check: 'pg_isready', reason: 'docker did not answer within 2000 ms' },
  RECOVERY_FAILED: { target: 'container:argus-shop-mwiw34frd95a-api' },
  DISK_INODES_LOW: { available: 120000, required: 800000, total: 16000000 },
  CLEANUP_FAILED: { type: 'container', reason: 'removal of container is already in progress' },
  RUN_RECORD_LOST: { run: 'mwiw34frd95a', names: ['container:argus-shop-mwiw34frd95a-api'] },
  RUN_OF_GONE_FOLDER: {
    run: 'mwiw34frd95a',
    worktree: '/srv/shop-before',
    state: 'up',
    alive: true,
    services: ['api', 'db'],
  },
  RUN_OF_OTHER_NAME: {
    run: 'mwiw34frd95a',
    project: 'shop-before',
    state: 'up',
    alive: true,
    services: ['api'],
  },
  RUN_OF_OTHER_STORE: {
    store: '3f0c2a9e-5d1b-4c7e-9a61-0b7d2f4e8c15',
    names: ['container:argus-shop-mwiw34frd95a-api'],
  },
  RUNTIME_MISSING: { needs: '@argusai/plugin-docker' },
  CONTAINER_UNHEALTHY: { status: 'unhealthy' },
  CONTAINER_CRASH: { reason: 'exit code 1' },
  DOCKER_OBJECT_MISSING: { command: 'docker container inspect' },
  DOCKER_NAME_TAKEN: { command: 'docker run' },
  IMAGE_UNAVAILABLE: { command: 'docker pull' },
  DOCKER_COMMAND_FAILED: { command: 'docker run' },
  NETWORK_UNREACHABLE: { target: 'db', host: 'localhost', port: 5432 },
  DNS_RESOLUTION_FAILED: { target: 'db', host: 'db.example.com', systemCode: 'ENOTFOUND' },
  HTTP_UNEXPECTED: { target: 'shop', status: 503 },
  LATENCY_HIGH: { target: 'shop' },
  TLS_CERTIFICATE_INVALID: { target: 'shop', systemCode: 'CERT_HAS_EXPIRED' },
  TLS_CERTIFICATE_EXPIRING: { target: 'shop' },
};

/** Too much for an example, and only there at times. */
const leftOut = ['connectivity', 'diagnosis'];

/**
 * Details that an occurrence of a code could have. Throws when they do not fit the code.
 * @param {ErrorCode} code
 * @param {ExplainedCode} explained
 * @returns {Record<string, unknown>}
 */
export function exampleDetails(code, { details: fields }) {
  /** @type {Record<string, unknown>} */
  const known = { ...usual, ...particular[code.code] };
  const shown = fields.filter(({ name }) => !leftOut.includes(name));
  // Where a field is one of several words, the first will do.
  const entries = shown.map(({ name, type }) => [
    name,
    / or (?!null)/.test(type) ? type.split(' or ')[0] : known[name],
  ]);
  const details = Object.fromEntries(entries);
  const problem = code.details?.().safeParse(details).error;
  if (problem) throw new Error(`The example of ${code.code} does not fit its details: ${problem.message}`);
  return details;
}
