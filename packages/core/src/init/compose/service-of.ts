import { property } from '../../model/property.js';
import type { DraftService } from '../draft.js';
import { buildOf } from './build-of.js';
import { type Dependencies, dependenciesOf } from './dependencies-of.js';
import { exposedPorts } from './exposed-ports.js';
import { fillIn } from './fill-in.js';
import { healthcheckOf } from './healthcheck-of.js';
import { limitsOf } from './limits-of.js';
import { listOf } from './list-of.js';
import { portOf } from './port-of.js';
import { variablesOf } from './variables-of.js';
import { volumeOf } from './volume-of.js';

/** What is carried over, or has nothing to say here. */
const carried = new Set([
  ...['image', 'build', 'command', 'entrypoint', 'ports', 'environment', 'depends_on', 'healthcheck'],
  ...['volumes', 'user', 'mem_limit', 'cpus', 'deploy', 'expose', 'init', 'pull_policy', 'platform'],
]);

/** Why something is left out, where more can be said than that there is nothing like it here. */
const reasons: Readonly<Record<string, string>> = {
  container_name: 'containers are named after their run, and reached by the name of the service',
  env_file: 'the files are not read; write what the service needs into environment',
  extends: 'what it takes from another service is not here; write it out',
  hostname: 'it is reached by the name of the service',
  labels: 'containers carry the labels of their run',
  links: 'it is reached by the name of the service',
  networks: 'every environment has a network of its own, which all its services share',
  profiles: 'argus always starts it; take it out if you do not want that',
  restart: 'argus setup --guard restarts what fails',
  scale: 'there is one of each service',
  secrets: 'there is nothing like it here; mount a file with volumes',
};

/** A service of Compose as argus would have it, and what it waits to see the end of. */
export function serviceOf(
  name: string,
  raw: unknown,
  from: string,
): { service: DraftService; ended: Dependencies['ended'] } {
  const { service, notes } = fillIn(raw);
  const given = (key: string) => property(service, key) ?? undefined;
  const { build, notes: buildNotes } = buildOf(given('build'));
  const { variables, withoutValue } = variablesOf(given('environment'));
  const { healthcheck, problem } = healthcheckOf(given('healthcheck'));
  const { ended, dependsOn, restartWith } = dependenciesOf(given('depends_on'));
  const volumes = listOf(given('volumes')).map(volumeOf);
  const ports = listOf(given('ports')).map(portOf);
  const spec = {
    image: given('image'),
    build,
    command: given('command'),
    entrypoint: given('entrypoint'),
    ports: [...ports, ...exposedPorts(given('expose'), ports)],
    environment: variables,
    healthcheck,
    dependsOn,
    restartWith,
    volumes: volumes.flatMap((volume) => ('text' in volume ? [volume.text] : [])),
    ...limitsOf(service),
    user: given('user'),
  };
  return {
    ended,
    service: {
      name,
      from,
      spec: Object.fromEntries(Object.entries(spec).filter(saysSomething)),
      notes: [
        ...notes,
        ...buildNotes,
        ...withoutValue.map((one) => `left out: environment: ${one}: it has no value in the file`),
        ...volumes.flatMap((volume) => ('problem' in volume ? [`left out: volumes: ${volume.problem}`] : [])),
        ...(problem === undefined ? [] : [problem]),
        ...leftOut(service),
      ],
    },
  };
}

function saysSomething([, value]: [string, unknown]): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.keys(value).length > 0;
}

/** What there is nothing like here. Keys that begin with `x-` say nothing to Compose either. */
function leftOut(service: unknown): string[] {
  const deploy = Object.keys(Object(property(service, 'deploy'))).filter((key) => key !== 'resources');
  const keys = Object.keys(Object(service)).filter((key) => !carried.has(key) && !key.startsWith('x-'));
  return [...keys, ...deploy.map((key) => `deploy.${key}`)].map(
    (key) => `left out: ${key}: ${reasons[key] ?? 'there is nothing like it here'}`,
  );
}
