import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from './environment.js';

describe('the environment', () => {
  it('has the folder for temporary files of the platform', () => {
    expect(readEnvironment({}).tmpDir).toBe(tmpdir());
  });

  it('names the usual socket, then that of an engine without root', () => {
    expect(readEnvironment({}).engineSockets).toEqual(['/var/run/docker.sock']);
    expect(readEnvironment({ XDG_RUNTIME_DIR: '/run/user/7' }).engineSockets).toEqual([
      '/var/run/docker.sock',
      '/run/user/7/docker.sock',
    ]);
  });

  it('names only the socket that DOCKER_HOST gives', () => {
    const env = { DOCKER_HOST: 'unix:///srv/my.sock', XDG_RUNTIME_DIR: '/run/user/7' };
    expect(readEnvironment(env).engineSockets).toEqual(['/srv/my.sock']);
  });

  it('names no socket when DOCKER_HOST is on another machine', () => {
    expect(readEnvironment({ DOCKER_HOST: 'tcp://build.example:2376' }).engineSockets).toEqual([]);
    expect(readEnvironment({ DOCKER_HOST: 'ssh://me@build.example' }).engineSockets).toEqual([]);
  });

  it('takes an empty DOCKER_HOST for none', () => {
    expect(readEnvironment({ DOCKER_HOST: '' }).engineSockets).toEqual(['/var/run/docker.sock']);
  });
});
