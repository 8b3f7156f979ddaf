import { commandWords, labelsOf, type PortMapping, type RunContext, type ServiceSpec } from '@argusai/core';
import { labelArguments } from './label-arguments.js';
import { mountOf } from './mounts.js';
import { containerName, imageOf, networkName } from './names.js';
import { handVariables } from './service-environment.js';

/** The command that starts a container. */
export interface RunCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
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
  const variables = handVariables(service.environment);
  const args = [
    ...['run', '--detach', '--pull', 'never', '--name', containerName(run, service.name)],
    ...['--network', networkName(run), '--network-alias', service.name],
    ...labelArguments(labelsOf(run, now, { name: service.name, spec })),
    ...service.ports.flatMap((port) => ['--publish', publishedPort(port)]),
    ...service.volumes.flatMap((volume) => ['--volume', mountOf(volume, run, project)]),
    ...outside.flatMap((name) => ['--add-host', `${name}:${wayOut}`]),
    ...(service.init ? ['--init'] : []),
    ...limits(service),
    ...(service.user === undefined ? [] : ['--user', service.user]),
    ...(service.entrypoint === undefined ? [] : ['--entrypoint', entrypoint ?? '']),
    ...variables.args,
    imageOf(service, project),
    ...first,
    ...(service.command === undefined ? [] : wordsOf(service.command)),
  ];
  return { args, env: variables.env };
}

/**
 * A port in Docker's syntax. Without an address it is published on the loopback address only: an environment under
 * test has no business on the network of the office. Whoever wants that writes `0.0.0.0:8080:3000`.
 */
function publishedPort({ ip, host, container, protocol }: PortMapping): string {
  return `${ip ?? '127.0.0.1'}:${host ?? ''}:${container}/${protocol}`;
}

function limits({ memory, cpus }: ServiceSpec): string[] {
  return [
    // Without the second, a container may use as much swap again.
    ...(memory === undefined ? [] : ['--memory', `${memory}`, '--memory-swap', `${memory}`]),
    ...(cpus === undefined ? [] : ['--cpus', `${cpus}`]),
  ];
}

/** As in an image's own list of words, there is no shell, unless the line itself names one. */
function wordsOf(command: string | readonly string[]): readonly string[] {
  if (typeof command !== 'string') return command;
  const { words, openQuote } = commandWords(command);
  if (openQuote) throw new Error(`The command ${JSON.stringify(command)} has a quote that is not closed`);
  return words;
}
