import { describe, expect, it } from 'vitest';
import { serviceOf } from './fixtures/trial-run.js';
import { startFailure, startReason } from './start-failure.js';

const daemon = 'docker: Error response from daemon: ';
const help = "\n\nRun 'docker run --help' for more information\n";
const oci =
  'failed to create task for container: OCI runtime create failed: runc create failed: unable to start: ';

describe('why a container did not start', () => {
  it.each([
    ['No such image: shop:1', 'image-missing'],
    ['pull access denied for shop, repository does not exist or may require docker login', 'image-missing'],
    [`${oci}exec: "serve": executable file not found in $PATH: unknown`, 'command-missing'],
    [`${oci}exec: "/app": stat /app: no such file or directory: unknown`, 'command-missing'],
    ['Conflict. The container name "/a" is already in use by container "b".', 'name-taken'],
    ['network argus-shop-1 not found', 'failed'],
    ['write /var/lib/docker/x: no space left on device', 'no-space'],
    ['Minimum memory limit allowed is 6MB', 'failed'],
  ])('is read from %j', (said, reason) => {
    expect(startReason(`${daemon}${said}${help}`)).toBe(reason);
  });

  it('names the port that is taken, with its protocol', () => {
    const said = 'failed to bind host port 127.0.0.1:5353/udp: address already in use';
    const error = startFailure(serviceOf('dns', {}), {
      exitCode: 125,
      stdout: [],
      stderr: `${daemon}${said}${help}`,
    });
    expect(error.error).toMatchObject({
      code: 'PORT_CONFLICT',
      details: { service: 'dns', port: 5353, protocol: 'udp' },
    });
  });

  const runc =
    'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: ';
  const crun = 'failed to create task for container: OCI runtime create failed: crun: ';
  it.each([
    [`${runc}unable to start container process: exec: "serve": executable file not found in $PATH: unknown.`],
    [
      `${runc}unable to start container process: error during container init: exec: "serve": executable file not found in $PATH`,
    ],
    [
      'OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "serve": executable file not found in $PATH: unknown.',
    ],
    [`${crun}executable file \`serve\` not found in $PATH: No such file or directory: unknown.`],
    [`${crun}executable file \`serve\` not found: No such file or directory: unknown`],
    [
      `${runc}unable to start container process: exec: "serve": stat serve: no such file or directory: unknown`,
    ],
  ])('says in plain words that a command does not exist: %s', (said) => {
    const stderr = `${daemon}${said}${help}`;
    const { error } = startFailure(serviceOf('api', { image: 'shop:1' }), {
      exitCode: 127,
      stdout: [],
      stderr,
    });
    expect(error).toMatchObject({
      code: 'SERVICE_START_FAILED',
      message: 'api could not be started: there is no command serve in its image shop:1',
      details: { service: 'api', reason: 'command-missing', exitCode: 127, lines: [said] },
    });
  });

  it.each([
    [`${runc}unable to start container process: exec: "/etc": permission denied: unknown`],
    [`${runc}unable to start container process: exec: "/etc": is a directory: permission denied: unknown`],
    [`${runc}unable to start container process: exec: "/etc": is a directory: unknown`],
    [`${crun}open executable: Permission denied: OCI permission denied`],
  ])('says in plain words that a command cannot be executed: %s', (said) => {
    const answer = { exitCode: 126, stdout: [], stderr: `${daemon}${said}${help}` };
    const { error } = startFailure(serviceOf('api', { image: 'shop:1' }), answer);
    expect(error.message).toMatch(
      /^api could not be started: the command( \/etc)? in its image shop:1 cannot be executed$/,
    );
    expect(error.details).toMatchObject({ reason: 'command-missing' });
  });

  it('says what Docker said without its advice', () => {
    const answer = {
      exitCode: 125,
      stdout: [],
      stderr: `WARNING: no swap\n${daemon}that will not do${help}`,
    };
    const { error } = startFailure(serviceOf('api', {}), answer);
    expect(error.message).toBe('api could not be started: «that will not do»');
    expect(error.details).toEqual({
      service: 'api',
      reason: 'failed',
      exitCode: 125,
      lines: ['WARNING: no swap', 'that will not do'],
    });
    const silent = startFailure(serviceOf('api', {}), { exitCode: 9, stdout: [], stderr: '' });
    expect(silent.message).toBe('api could not be started: exit code 9');
  });
});
