import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { usualEndpoint, whichEngine } from './which-engine.js';

const folder = mkdtempSync(join(tmpdir(), 'argus-docker-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function engineWith(env: Record<string, string>, config?: string) {
  writeFileSync(join(folder, 'config.json'), config ?? '{}');
  return whichEngine({ DOCKER_CONFIG: folder, ...env });
}

describe('the engine that the client speaks to', () => {
  it('is the usual one when nothing names another', () => {
    expect(engineWith({})).toBeUndefined();
    expect(engineWith({ DOCKER_HOST: '', DOCKER_CONTEXT: '' })).toBeUndefined();
    expect(engineWith({ DOCKER_HOST: usualEndpoint })).toBeUndefined();
    expect(engineWith({ DOCKER_CONTEXT: 'default' }, '{"currentContext":"far"}')).toBeUndefined();
    expect(whichEngine({ HOME: folder })).toBeUndefined();
  });

  it.each(['', 'no JSON', 'null', '{"currentContext":7}'])('is the usual one with a file of %j', (config) => {
    expect(engineWith({}, config)).toBeUndefined();
  });

  it('is named by DOCKER_HOST, then by DOCKER_CONTEXT, then by the file', () => {
    const config = '{"currentContext":"far"}';
    expect(engineWith({ DOCKER_HOST: 'ssh://one', DOCKER_CONTEXT: 'two' }, config)).toBe('ssh://one');
    expect(engineWith({ DOCKER_CONTEXT: 'two' }, config)).toBe(`context two of ${folder}`);
    expect(engineWith({}, config)).toBe(`context far of ${folder}`);
  });
});
