import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answers, type CommandFailure, classifyFailure, daemonReasons } from './classify-failure.js';

type Row = readonly [meaning: string, from: string, stderr: string];

// What clients and engines have been seen to say. Each row: what it means, who says so, the words.
const daemon: Row[] = [
  [
    'not-running',
    '20.10 and 28',
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
  ],
  [
    'not-running',
    '20.10, docker run',
    "docker: Cannot connect to the Docker daemon at unix:///nope.sock. Is the docker daemon running?.\nSee 'docker run --help'.",
  ],
  [
    'not-running',
    '28, docker build',
    'DEPRECATED: The legacy builder is deprecated and will be removed in a future release.\n\nCannot connect to the Docker daemon at tcp://127.0.0.1:1. Is the docker daemon running?',
  ],
  [
    'not-running',
    '29',
    'failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory',
  ],
  [
    'not-running',
    '28, a host that does not exist',
    'error during connect: Get "http://nohost.invalid:2375/v1.50/containers/json": dial tcp: lookup nohost.invalid on 10.0.0.2:53: no such host',
  ],
  [
    'not-running',
    '28 over ssh',
    'error during connect: Get "http://docker.example.com/v1.50/containers/json": command [ssh -o ConnectTimeout=30 -T -- 127.0.0.1 docker system dial-stdio] has exited with exit status 255, make sure the URL is valid, and Docker 18.09 or later is installed on the remote host: stderr=ssh: connect to host 127.0.0.1 port 22: Connection refused',
  ],
  [
    'not-running',
    'Docker Desktop on Windows',
    'error during connect: this error may indicate that the docker daemon is not running: Get "http://%2F%2F.%2Fpipe%2FdockerDesktopLinuxEngine/v1.24/containers/json": open //./pipe/dockerDesktopLinuxEngine: The system cannot find the file specified.',
  ],
  [
    'not-running',
    'Docker Desktop whose engine is down',
    'request returned Internal Server Error for API route and version http://%2FUsers%2Fme%2F.docker%2Frun%2Fdocker.sock/v1.45/containers/json, check if the server supports the requested API version',
  ],
  [
    'not-running',
    'Docker Desktop, paused',
    'Error response from daemon: Docker Desktop is manually paused. Unpause it through the Whale menu or Dashboard.',
  ],
  ['not-running', 'Docker Desktop', 'Error response from daemon: Docker Desktop is unable to start'],
  [
    'not-running',
    '28, killed during a stop',
    'error during connect: Post "http://%2Ftmp%2Fdocker.sock/v1.41/containers/s1/stop?t=60": EOF',
  ],
  ['not-running', '28, killed during events', 'unexpected EOF'],
  [
    'not-running',
    '28, killed during a run',
    'time="2026-11-16T03:46:42Z" level=error msg="error waiting for container: unexpected EOF"',
  ],
  [
    'not-running',
    '20.10, killed during an exec',
    'error during connect: Get "http://%2Ftmp%2Fdocker.sock/v1.41/exec/35d2/json": read unix @->/tmp/docker.sock: read: connection reset by peer',
  ],
  [
    'not-running',
    'podman on a Mac',
    'Cannot connect to Podman. Please verify your connection to the Linux system using `podman system connection list`, or try `podman machine init` and `podman machine start` to manage a new Linux VM\nError: unable to connect to Podman socket: Get "http://d/v4.9.0/libpod/_ping": dial unix ///var/folders/podman.sock: connect: no such file or directory',
  ],
  [
    'no-permission',
    '20.10',
    'Got permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.24/containers/json": dial unix /var/run/docker.sock: connect: permission denied',
  ],
  [
    'no-permission',
    '28',
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/containers/json": dial unix /var/run/docker.sock: connect: permission denied',
  ],
  [
    'no-permission',
    '29',
    'permission denied while trying to connect to the docker API at unix:///var/run/docker.sock',
  ],
  [
    'no-permission',
    'ssh',
    'error during connect: Get "http://docker.example.com/v1.50/version": command [ssh -l me -- host docker system dial-stdio] has exited with exit status 255, make sure the URL is valid, and Docker 18.09 or later is installed on the remote host: stderr=me@host: Permission denied (publickey).',
  ],
  [
    'too-old',
    '28 with an engine of 20.10',
    'Error response from daemon: client version 1.99 is too new. Maximum supported API version is 1.41',
  ],
  [
    'too-old',
    'an old client with 28',
    'Error response from daemon: client version 1.10 is too old. Minimum supported API version is 1.24, please upgrade your client to a newer version',
  ],
  ['too-old', '28', '"build --secret" requires API version 1.39, but the Docker daemon API version is 1.24'],
  [
    'tls',
    '28',
    'error during connect: Get "https://10.0.0.5:2376/v1.50/containers/json": tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  [
    'tls',
    'an engine that wants TLS',
    'Error response from daemon: Client sent an HTTP request to an HTTPS server.',
  ],
  [
    'tls',
    '28',
    'error during connect: Get "https://127.0.0.1:2375/v1.50/version": http: server gave HTTP response to HTTPS client',
  ],
  [
    'tls',
    '20.10',
    'unable to resolve docker endpoint: open /opt/ci/.docker/ca.pem: no such file or directory',
  ],
  [
    'misconfigured',
    '28',
    'Failed to initialize: unable to resolve docker endpoint: context "foo": context not found: open /opt/ci/.docker/contexts/meta/2c26/meta.json: no such file or directory',
  ],
  ['misconfigured', '20.10', 'unable to resolve docker endpoint: Invalid bind address format: bad://x'],
  [
    'hung',
    'a host that swallows packets',
    'error during connect: Get "http://10.255.0.1:2375/v1.50/version": dial tcp 10.255.0.1:2375: i/o timeout',
  ],
  [
    'hung',
    '28',
    'error during connect: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/version": context deadline exceeded',
  ],
];

const answered: Row[] = [
  ['missing', '28', 'Error response from daemon: No such container: nope'],
  ['missing', '20.10', 'Error: No such container: nope'],
  ['missing', '20.10 and 28, inspect', 'Error: No such object: nope'],
  ['missing', '28', 'Error response from daemon: no such image: nope: No such image: nope:latest'],
  ['missing', '28', 'Error response from daemon: network nope not found\nexit status 1'],
  ['missing', '28', 'Error response from daemon: get nope: no such volume'],
  [
    'missing',
    '28, run --pull never',
    "docker: Error response from daemon: No such image: nope:latest\n\nRun 'docker run --help' for more information",
  ],
  ['missing', 'podman', 'Error: no container with name or ID "nope" found: no such container'],
  ['missing', 'podman', 'Error: unable to find network with name or ID nope: network not found'],
  [
    'name-taken',
    '20.10 and 28',
    'Error response from daemon: Conflict. The container name "/aa" is already in use by container "919ff764". You have to remove (or rename) that container to be able to reuse that name.',
  ],
  ['name-taken', '20.10 and 28', 'Error response from daemon: network with name nn already exists'],
  [
    'name-taken',
    'podman',
    'Error: creating container storage: the container name "aa" is already in use by 4f0c. You have to remove that container to be able to reuse that name: that name is already in use',
  ],
  ['name-taken', 'podman', 'Error: network name nn already used: network already exists'],
  [
    'no-space',
    '20.10',
    'failed to copy files: failed to write to /var/lib/docker/overlay2/x: write /big: no space left on device',
  ],
  [
    'image-not-found',
    '20.10 and 28',
    "docker: Error response from daemon: pull access denied for nope, repository does not exist or may require 'docker login': denied: requested access to the resource is denied.",
  ],
  [
    'image-not-found',
    '28',
    'Error response from daemon: manifest for busybox:nope not found: manifest unknown: manifest unknown',
  ],
  [
    'image-denied',
    '28',
    'Error response from daemon: Head "https://ghcr.io/v2/a/b/manifests/1": unauthorized',
  ],
  [
    'image-wrong-platform',
    '28',
    'Error response from daemon: no matching manifest for linux/arm64/v8 in the manifest list entries',
  ],
  [
    'registry-rate-limited',
    '28',
    'Error response from daemon: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading',
  ],
  [
    'registry-unreachable',
    '20.10 and 28, no network',
    'Using default tag: latest\nError response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 10.0.0.2:53: no such host',
  ],
  [
    'registry-unreachable',
    '20.10, a slow network',
    'Error response from daemon: Get https://registry-1.docker.io/v2/: net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
  ],
  [
    'registry-unreachable',
    '28, a certificate of the registry',
    'Error response from daemon: Get "https://registry.internal/v2/": tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  [
    'command-missing',
    '20.10 and 28',
    'docker: Error response from daemon: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "nope": executable file not found in $PATH: unknown',
  ],
  [
    'command-missing',
    '20.10 and 28',
    'docker: Error response from daemon: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/nope": stat /nope: no such file or directory: unknown.',
  ],
  [
    'command-missing',
    '28 with crun',
    'docker: Error response from daemon: failed to create task for container: OCI runtime create failed: crun: executable file `nope` not found in $PATH: No such file or directory: unknown',
  ],
  [
    'conflict',
    '20.10 and 28',
    'Error response from daemon: You cannot remove a running container 0102. Stop the container before attempting removal or force remove',
  ],
  ['conflict', '20.10 and 28', 'Error response from daemon: remove vv: volume is in use - [2c07]'],
  ['conflict', '20.10 and 28', 'Error response from daemon: Container 919f is not running'],
  [
    'conflict',
    '20.10 and 28',
    'Error response from daemon: error while removing network: network nn id 5f2c has active endpoints',
  ],
  [
    'conflict',
    '20.10 and 28',
    'Error response from daemon: conflict: unable to remove repository reference "t:b" (must force) - container 919f is using its referenced image 09da',
  ],
  ['build-failed', '20.10', "The command '/bin/sh -c exit 3' returned a non-zero code: 3"],
  [
    'build-failed',
    '28',
    'ERROR: failed to solve: process "/bin/sh -c exit 3" did not complete successfully: exit code: 3',
  ],
  ['invalid', '28', 'docker: invalid reference format: repository name (library/BAD) must be lowercase'],
  ['invalid', '20.10', "unknown flag: --nope\nSee 'docker ps --help'."],
  ['failed', '20.10 and 28', 'Error response from daemon: Minimum memory limit allowed is 6MB'],
  ['failed', 'nobody', ''],
];

const taken: (readonly [port: number, protocol: string, from: string, stderr: string])[] = [
  [
    18080,
    'tcp',
    '20.10, another container',
    'docker: Error response from daemon: driver failed programming external connectivity on endpoint p2 (9ffa): Bind for 0.0.0.0:18080 failed: port is already allocated.',
  ],
  [
    18081,
    'tcp',
    '20.10, another program',
    'docker: Error response from daemon: driver failed programming external connectivity on endpoint p2 (7819): Error starting userland proxy: listen tcp4 0.0.0.0:18081: bind: address already in use.',
  ],
  [
    8080,
    'tcp',
    '28',
    'docker: Error response from daemon: failed to set up container networking: driver failed programming external connectivity on endpoint web (a1): failed to bind host port for 127.0.0.1:8080:172.17.0.2:80/tcp: address already in use',
  ],
  [
    5353,
    'udp',
    '28.3',
    'Error response from daemon: failed to set up container networking: driver failed programming external connectivity on endpoint dns (a1): failed to bind host port 0.0.0.0:5353/udp: address already in use',
  ],
  [
    8080,
    'tcp',
    '28, version 6',
    'Error response from daemon: driver failed programming external connectivity on endpoint web (a1): failed to bind host port for [::1]:8080:172.17.0.2:80/tcp: address already in use',
  ],
  [
    3000,
    'tcp',
    'Docker Desktop',
    'docker: Error response from daemon: Ports are not available: exposing port TCP 0.0.0.0:3000 -> 127.0.0.1:0: listen tcp 0.0.0.0:3000: bind: address already in use.',
  ],
  [
    3000,
    'tcp',
    'Docker Desktop on Windows',
    'Error response from daemon: Ports are not available: exposing port TCP 0.0.0.0:3000 -> 127.0.0.1:0: listen tcp 0.0.0.0:3000: bind: Only one usage of each socket address (protocol/network address/port) is normally permitted.',
  ],
  [8080, 'tcp', 'podman', 'Error: rootlessport listen tcp 0.0.0.0:8080: bind: address already in use'],
];

describe('what a failure of the client means', () => {
  it.each(daemon)('the daemon is at fault: %s (%s)', (reason, _, stderr) => {
    expect(classifyFailure({ stderr })).toEqual({ kind: 'daemon', reason });
  });

  it.each(answered)('the daemon answered: %s (%s)', (answer, _, stderr) => {
    expect(classifyFailure({ stderr })).toEqual({ kind: 'answer', answer });
  });

  it.each(taken)('port %i/%s is taken (%s)', (port, protocol, _, stderr) => {
    expect(classifyFailure({ stderr })).toEqual({
      kind: 'answer',
      answer: 'port-taken',
      taken: { port, protocol },
    });
  });

  it('does not take a port that is in use inside of a container for one of the host', () => {
    const stderr = 'Error response from daemon: something else: address already in use';
    expect(classifyFailure({ stderr })).toEqual({ kind: 'answer', answer: 'failed' });
  });

  it('a client that cannot be started is not installed, whatever else there is', () => {
    for (const systemCode of ['ENOENT', 'EACCES']) {
      expect(classifyFailure({ stderr: '', systemCode })).toEqual({
        kind: 'daemon',
        reason: 'not-installed',
      });
    }
  });

  it('a client that gets no answer shows that the daemon hangs', () => {
    expect(classifyFailure({ stderr: '', timedOut: true })).toEqual({ kind: 'daemon', reason: 'hung' });
  });

  it('has a row for every meaning but those without words', () => {
    const seen = new Set([...daemon, ...answered].map(([meaning]) => meaning));
    const wordless = ['not-installed', 'not-an-engine', 'port-taken'];
    expect([...daemonReasons, ...answers].filter((one) => !seen.has(one) && !wordless.includes(one))).toEqual(
      [],
    );
  });

  it('finds a meaning in any words, and what a daemon answers is never its silence', () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom(...[...daemon, ...answered].map(([, , text]) => text)),
    );
    fc.assert(
      fc.property(words, fc.string(), (one, other) => {
        const failure: CommandFailure = { stderr: `${one}\n${other}` };
        expect(['daemon', 'answer']).toContain(classifyFailure(failure).kind);
        const reply = classifyFailure({
          stderr: `Error response from daemon: No such container: x\n${other}`,
        });
        expect(reply.kind === 'answer' || /is too|Docker Desktop|request returned|HTTPS/i.test(other)).toBe(
          true,
        );
      }),
    );
  });
});
