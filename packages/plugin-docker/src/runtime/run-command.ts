import {
  argumentList,
  commandWords,
  labelsOf,
  type PortMapping,
  type RunContext,
  type ServiceSpec,
} from '@argusai/core';
import { handVariables, inputFile } from './handed-variables.js';
import { assignments } from './label-arguments.js';
import { mountOf } from './mounts.js';
import { containerName, imageOf, networkName } from './names.js';

/** The command that starts a container. */
export interface RunCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What the client reads from its input. */
  readonly input?: string;
}

/** What the command is made from besides the service. */
export interface RunCommandContext extends Pick<RunContext, 'run' | 'project'> {
  /** Names that lead to this machine, because what they name runs outside of containers. */
  readonly outside: readonly string[];
  /** Where this machine is, seen from a container. */
  readonly wayOut: string;
  readonly spec: string;
  readonly now: number;
}

/**
 * The `docker run` of a service. There is no `--restart`: the guardian restarts. An init is there only where it is asked for: images
 * that bring their own need to be the first process, and a command that does not exist would no longer fail the start.
 */
export function runCommand(service: ServiceSpec, context: RunCommandContext): RunCommand {
  const { run, project, outside, wayOut, spec, now } = context;
  const [entrypoint, ...first] = service.entrypoint === undefined ? [] : wordsOf(service.entrypoint);
  const { names, env, file } = handVariables(service.environment);
  const options = {
    detach: true,
    pull: 'never',
    name: containerName(run, service.name),
    network: networkName(run),
    'network-alias': service.name,
    label: assignments(labelsOf(run, now, { name: service.name, spec })),
    publish: service.ports.map(publishedPort),
    volume: service.volumes.map((volume) => mountOf(volume, run, project)),
    init: service.init,
    'add-host': outside.map((name) => `${name}:${wayOut}`),
    ...limits(service),
    user: service.user,
    entrypoint: service.entrypoint === undefined ? undefined : (entrypoint ?? ''),
    env: names,
    'env-file': file === '' ? undefined : inputFile,
  };
  const words = service.command === undefined ? [] : wordsOf(service.command);
  const args = argumentList(['run'], options, [imageOf(service, project), ...first, ...words]);
  return { args, env, ...(file === '' ? {} : { input: file }) };
}

/**
 * A port in Docker's syntax. Without an address it is published on the loopback address only: an environment under
 * test has no business on the network of the office. Whoever wants that writes `0.0.0.0:8080:3000`.
 */
function publishedPort({ ip, host, container, protocol }: PortMapping): string {
  return `${ip ?? '127.0.0.1'}:${host ?? ''}:${container}/${protocol}`;
}

function limits({ memory, cpus }: ServiceSpec) {
  // Without the second, a container may use as much swap again.
  return { memory, 'memory-swap': memory, cpus };
}

/** As in an image's own list of words, there is no shell, unless the line itself names one. */
function wordsOf(command: string | readonly string[]): readonly string[] {
  if (typeof command !== 'string') return command;
  const { words, openQuote } = commandWords(command);
  if (openQuote) throw new Error(`The command ${JSON.stringify(command)} has a quote that is not closed`);
  return words;
}
