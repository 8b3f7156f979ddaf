/** A configuration in which every field has a value that reaches whatever it can reach. */
export const wholeConfiguration = {
  $schema: './.argus/schema.json',
  project: { name: 'shop' },
  plugins: ['docker', ['process', { output: { size: '1MB' } }]],
  services: {
    api: {
      image:
        'registry.example:5000/shop/api:1.2@sha256:0123456789012345678901234567890123456789012345678901234567890123',
      command: ['serve', '--port', '80'],
      entrypoint: ['/entry', '-x'],
      ports: ['127.0.0.1:8080:80', '53/udp'],
      environment: { MODE: 'test', HTTP_PROXY: 'http://proxy' },
      healthcheck: {
        command: ['curl', '-f', 'http://localhost'],
        interval: '1s',
        timeout: '1s',
        retries: 3,
        startPeriod: '1s',
      },
      dependsOn: ['db'],
      restartWith: ['db'],
      oneShot: false,
      vars: { base: 'http://localhost:{{ports.api}}' },
      volumes: ['data:/data:ro', './src:/src', '/alone'],
      memory: '64MB',
      cpus: 1,
      user: '1000:1000',
    },
    db: {
      build: { context: './db', dockerfile: 'Dockerfile.db', args: { VERSION: '1' }, target: 'final' },
      ports: [5432],
      healthcheck: { tcp: 5432, port: 5432 },
    },
    web: { build: './web', healthcheck: { http: '/health', port: 3000 }, ports: [3000] },
    worker: { command: 'node worker.js', environment: { A: 'b' } },
  },
  mocks: {
    pay: {
      port: 9000,
      routes: [
        {
          method: 'POST',
          path: '/pay',
          response: { status: 200, headers: { 'x-mock': 'yes' }, body: { ok: true }, delay: '1ms' },
        },
      ],
      environment: { A: 'b' },
      vars: { url: 'http://localhost:{{ports.pay}}' },
    },
    mail: {
      image: 'mail:1',
      command: 'serve',
      port: '8025:8025',
      environment: { A: 'b' },
    },
  },
  tests: {
    suites: [
      { id: 'smoke', name: 'Smoke', command: ['npm', 'test'], environment: { A: 'b' }, timeout: '1m' },
    ],
  },
  environment: { lease: '1d', stopTimeout: '10s' },
  resilience: {
    preflight: { enabled: true, diskSpaceThreshold: '2GB', cleanOrphans: true },
    container: {
      restartOnFailure: true,
      maxRestarts: 3,
      restartDelay: '2s',
      restartBackoff: 'linear',
      maxRestartDelay: '60s',
      restartJitter: 0,
      stabilityWindow: '10s',
      stormLimit: { max: 10, per: '1h' },
    },
    network: { portConflictStrategy: 'auto', verifyConnectivity: true },
    circuitBreaker: { enabled: true, failureThreshold: 5, resetTimeoutMs: 30_000 },
  },
  policy: {
    autonomy: 'moderate',
    budget: { max: 2, per: '1h' },
    correlatedFailures: 3,
    consecutiveFailures: 3,
    exclude: ['service:db'],
  },
  state: { dir: '.state' },
};
