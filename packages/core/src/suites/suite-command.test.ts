import { describe, expect, it } from 'vitest';
import { KnownPorts } from '../environment/ports/known-ports.js';
import type { Suite } from './suite.js';
import { suiteCommand } from './suite-command.js';

const port = { host: 8081, container: 80, ip: null, protocol: 'tcp' } as const;
const values = {
  ports: new KnownPorts([{ name: 'my-api', ports: [port] }]),
  vars: { 'base.url': 'http://localhost:8081' },
};
const suite = (rest: Partial<Suite>): Suite => ({
  id: 'smoke',
  command: 'npm test',
  environment: {},
  key: 'tests.suites[0]',
  ...rest,
});
const argv = (command: Suite['command']) => suiteCommand(suite({ command }), values).argv;

describe('the command of a suite', () => {
  it('is split into words, with ports and variables filled in', () => {
    expect(argv(`npm test -- "--port={{ports.my-api}}" '{{vars.base.url}}/x'`)).toEqual([
      ...['npm', 'test', '--', '--port=8081', 'http://localhost:8081/x'],
    ]);
    expect(argv(['echo', '{{ports.my-api.80}} | wc'])).toEqual(['echo', '8081 | wc']);
  });

  it('is given to a shell when only that understands it', () => {
    expect(argv('npm test | tee {{ports.my-api}}')).toEqual(['/bin/sh', '-c', 'npm test | tee 8081']);
  });

  it('is told where everything is, unless its own environment says otherwise', () => {
    const environment = { ARGUS_URL_MY_API: 'http://elsewhere', PORT: '{{ports.my-api}}' };
    expect(suiteCommand(suite({ environment }), values).env).toEqual({
      ARGUS_PORT_MY_API: '8081',
      ARGUS_URL_MY_API: 'http://elsewhere',
      PORT: '8081',
      ARGUS_VAR_BASE_URL: 'http://localhost:8081',
    });
  });

  it('is refused when it refers to nothing', () => {
    expect(() => argv('echo {{ports.other}}')).toThrow('tests.suites[0].command: {{ports.other}}');
    const environment = { A: '{{vars.base_url}}' };
    expect(() => suiteCommand(suite({ environment }), values)).toThrow(
      'tests.suites[0].environment.A: {{vars.base_url}} stands for nothing that is known here, did you mean {{vars.base.url}}?',
    );
  });

  it('keeps the braces of other tools', () => {
    const format = ['docker', 'inspect', '-f', '{{.State.StartedAt}} {{json .}}', '{{ports.my-api}}'];
    expect(suiteCommand(suite({ command: format }), values).argv).toEqual([...format.slice(0, 4), '8081']);
  });

  it('is left as it is when it was typed in', () => {
    const { key: _, ...typed } = suite({ command: ['docker', 'ps', '--format', '{{.Names}}'] });
    expect(suiteCommand(typed, values).argv).toEqual(['docker', 'ps', '--format', '{{.Names}}']);
  });
});
