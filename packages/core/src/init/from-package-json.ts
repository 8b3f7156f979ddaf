import { property } from '../model/property.js';
import type { Draft } from './draft.js';

const services = ['start', 'dev', 'serve'];
const suites = ['test', 'test:e2e', 'e2e'];

/** What npm writes into a new package where there are no tests. */
const noTests = /no test specified/;

/** What the scripts of a package say: how it is started and how it is tested. */
export function fromPackageJson(manifest: unknown, runner: string): Draft {
  const file = 'package.json';
  const scriptOf = (name: string) => {
    const script = property(property(manifest, 'scripts'), name);
    return typeof script === 'string' && !noTests.test(script) ? script : undefined;
  };
  const isLoop = (name: string) => /\bargus\s+(run|setup)\b/.test(scriptOf(name) ?? '');
  const there = (names: readonly string[]) => names.filter((name) => scriptOf(name) !== undefined);
  const [start] = there(services).filter((name) => !isLoop(name));
  const name = property(manifest, 'name');
  return {
    source: { kind: 'package.json', file },
    ...(typeof name === 'string' && name !== '' ? { project: name } : {}),
    services: start === undefined ? [] : [serviceFor(start, scriptOf(start) ?? '', runner, file)],
    suites: there(suites)
      .filter((id) => !isLoop(id))
      .map((id) => ({ id, command: `${runner} run ${id}` })),
    notes: [...there(services), ...there(suites)]
      .filter(isLoop)
      .map((script) => `the script ${script} of ${file} is left out: it runs argus itself`),
  };
}

function serviceFor(script: string, text: string, runner: string, from: string) {
  const port = /(?:--port[ =]|-p |\bPORT=)(\d{2,5})\b/.exec(text)?.[1] ?? '3000';
  const notes = [
    `ports: ["${port}:${port}"] publishes its port, which it is told of as PORT`,
    'healthcheck: { http: / } would tell when it is ready',
  ];
  return { name: 'app', from, spec: { command: `${runner} run ${script}` }, notes };
}
