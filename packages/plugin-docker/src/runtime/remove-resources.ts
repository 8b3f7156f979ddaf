import {
  argumentList,
  type Clock,
  cleanupFailed,
  isArgusError,
  pause,
  quoted,
  type Removal,
  type Resource,
  type StructuredError,
  structuredError,
} from '@argusai/core';
import { askDocker, type DockerAnswer } from './ask-docker.js';
import type { ContainerJson } from './container-json.js';
import { deafContainers } from './deaf-containers.js';
import type { DockerParts } from './docker-parts.js';
import { removal } from './revive-container.js';

type RemoveOptions = { readonly graceMs: number; readonly signal: AbortSignal };

/** Each needs the one before it to be gone. */
const steps = [
  { type: 'container', command: (ids: string[]) => removal(...ids) },
  { type: 'network', command: (ids: string[]) => argumentList(['network', 'rm'], {}, ids) },
  { type: 'volume', command: (ids: string[]) => argumentList(['volume', 'rm'], {}, ids) },
] as const;

/** Somebody else has removed it: what was wanted is the case. */
const isGone = /no such (container|network|volume)|(network|volume) .* not found/i;
/** Somebody else is at it; the network can go only when they are done. */
const isGoing = /removal of container .* is already in progress/i;
const patience = { tries: 20, pauseMs: 250 };
const limitMs = 120_000;
/** The exit code of what was ended by SIGKILL. */
const killedCode = 137;

/** Removes resources, all of one kind with one call. */
export async function removeResources(
  parts: DockerParts,
  resources: readonly Resource[],
  options: RemoveOptions,
): Promise<Removal[]> {
  const failures = new Map<Resource, StructuredError>();
  const containers = resources.filter(({ type }) => type === 'container');
  const killed =
    options.graceMs > 0 && containers.length > 0 ? await stop(parts, containers, options) : new Set<string>();
  for (const { type, command } of steps) {
    const things = resources.filter((resource) => resource.type === type);
    if (things.length > 0) await removeAll(parts, things, command, options, failures);
  }
  for (const resource of resources.filter(({ type }) => !steps.some((step) => step.type === type))) {
    failures.set(resource, failed(resource, 'Docker has no such kind of thing', parts.clock));
  }
  return resources.map((resource): Removal => {
    const error = failures.get(resource);
    if (error !== undefined) return { resource, removed: false, error };
    return { resource, removed: true, ...(killed.has(resource.id) ? { killed: true } : {}) };
  });
}

/**
 * Asks containers to end; gives the ids of those that had to be killed. Whatever cannot hear it is not waited for: it is removed by
 * force next, and so is what something goes wrong with here.
 */
async function stop(
  { client, clock }: DockerParts,
  containers: readonly Resource[],
  { graceMs, signal }: RemoveOptions,
): Promise<ReadonlySet<string>> {
  let deaf: ReadonlySet<string> = new Set();
  try {
    const all = containers.map(({ id }) => id);
    deaf = await deafContainers(client, all, signal);
    const ids = all.filter((id) => !deaf.has(id));
    if (ids.length === 0) return deaf;
    const begun = clock.monotonic();
    const args = argumentList(['stop', `-t=${Math.ceil(graceMs / 1000)}`], {}, ids);
    await askDocker(client, args, { signal, timeoutMs: graceMs + limitMs });
    if (clock.monotonic() - begun < graceMs) return deaf;
    const ended = await client.inspect<ContainerJson>('container', ids, { signal });
    const killed = ended.flatMap(({ Id, State }) => (State.ExitCode === killedCode ? [Id] : []));
    return new Set([...deaf, ...killed]);
  } catch {
    // The removal that follows meets the same trouble and reports it for each container.
    signal.throwIfAborted();
    return deaf;
  }
}

async function removeAll(
  parts: DockerParts,
  things: readonly Resource[],
  command: (ids: string[]) => string[],
  { signal }: RemoveOptions,
  failures: Map<Resource, StructuredError>,
): Promise<void> {
  let left = things;
  for (let tries = 1; left.length > 0; tries += 1) {
    let answer: DockerAnswer;
    try {
      const args = command(left.map(({ id }) => id));
      answer = await askDocker(parts.client, args, { signal, timeoutMs: limitMs });
    } catch (error) {
      signal.throwIfAborted();
      // The daemon itself is at fault, and its own code says more than a failed removal does.
      for (const resource of left) {
        failures.set(
          resource,
          isArgusError(error) ? error.error : failed(resource, String(error), parts.clock),
        );
      }
      return;
    }
    const going: Resource[] = [];
    for (const resource of left.filter(({ id }) => !answer.stdout.includes(id))) {
      const reason = reasonFor(resource, answer);
      if (isGone.test(reason)) continue;
      if (isGoing.test(reason) && tries < patience.tries) going.push(resource);
      else failures.set(resource, failed(resource, reason, parts.clock));
    }
    left = going;
    if (left.length > 0) await pause(parts.clock, patience.pauseMs, signal);
  }
}

/** Docker says one line for each that it could not remove, with its id or its name in it. */
function reasonFor({ id, name }: Resource, { stderr, exitCode }: DockerAnswer): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((text) => names(text, id) || names(text, name)) ?? lines.join('; ');
  return line.replace(/^Error response from daemon: /, '') || `exit code ${exitCode}`;
}

/** Whether a text has the whole name in it, and not one that only begins alike. */
function names(text: string, name: string): boolean {
  return text.split(/[^\w.-]+/).some((word) => word === name || word === `${name}.`);
}

function failed({ type, name, id }: Resource, reason: string, clock: Clock): StructuredError {
  const message = `The ${type} ${name} could not be removed: ${quoted(reason)}`;
  return structuredError(cleanupFailed, { message, details: { type, name, id, reason } }, clock.now());
}
