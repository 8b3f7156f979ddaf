import { argumentList, type Circuits, type Clock } from '@argusai/core';
import { classifyFailure } from './classify-failure.js';
import { Daemon } from './daemon.js';
import { dialEngine } from './dial-engine.js';
import type { DockerClient, ObjectType } from './docker-client.js';
import { refused } from './docker-error.js';
import { endsWell } from './ends-well.js';
import { idsIn, type ListedType, listPath, objectPaths } from './engine-paths.js';
import { outOfSpace } from './engine-space.js';
import { labelFilters } from './label-filters.js';

/** The command that lists what carries labels. */
function listing(type: ListedType, labels: Readonly<Record<string, string>>): string[] {
  const options = { quiet: true, filter: labelFilters(labels) };
  if (type === 'volume') return argumentList(['volume', 'ls'], options);
  return type === 'network'
    ? argumentList(['network', 'ls'], { ...options, 'no-trunc': true })
    : argumentList(['ps'], { ...options, all: true, 'no-trunc': true });
}

/** What a client is made of. */
export interface DockerClientParts {
  readonly circuits: Circuits;
  readonly clock: Clock;
  /** The whole environment of the commands; that of this process when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long the daemon may take to answer a simple question, in milliseconds. Other commands get twice that. */
  readonly timeoutMs?: number;
  /** How many bytes should be free, for the error of an engine that has no space left. */
  readonly diskSpaceThreshold?: number;
}

/** Makes a client. All clients of a kernel share the circuit `docker`. */
export function createDockerClient(parts: DockerClientParts): DockerClient {
  return clientOf(new Daemon(parts), parts);
}

/** A client of a daemon. */
export function clientOf(daemon: Daemon, parts: DockerClientParts): DockerClient {
  const { diskSpaceThreshold = 2_000_000_000 } = parts;
  const client: DockerClient = {
    async run(args, { signal, timeoutMs, input, service }) {
      const ended = await daemon.call(args, { signal, timeoutMs, input });
      if (ended.exitCode === 0) return ended.stdout;
      const failure = daemon.meaningOf(ended);
      if (failure.answer === 'no-space') {
        const what = `docker ${args[0]}`;
        throw await outOfSpace(client, { required: diskSpaceThreshold, what, signal });
      }
      throw refused(failure, { args, ended, service });
    },

    async follow(args, { signal, timeoutMs, env, input, onLine, onStart }) {
      const { exitCode, stdout, stderr } = await daemon.call(args, {
        signal,
        timeoutMs,
        env,
        input,
        onLine,
        onStart,
      });
      return { exitCode: exitCode ?? 255, stdout, stderr };
    },

    async *lines(args, { signal }) {
      await daemon.ping(signal);
      const ended = yield* daemon.stream(args, signal);
      if (signal.aborted || ended.exitCode === 0) return;
      if (classifyFailure(ended).kind === 'daemon') await daemon.ping(signal);
      throw refused(daemon.meaningOf(ended), { args, ended });
    },

    async inspect<T>(type: ObjectType, ids: readonly string[], { signal }: { signal: AbortSignal }) {
      if (ids.length === 0) return [];
      signal.throwIfAborted();
      const paths = objectPaths(type, ids);
      const seen = paths && (await daemon.look<T>(paths, signal));
      if (seen !== undefined) return seen.filter((one) => one !== undefined);
      const args = argumentList([type, 'inspect'], {}, ids);
      const ended = await daemon.call(args, { signal });
      const failure = ended.exitCode === 0 ? undefined : daemon.meaningOf(ended);
      // What is there is given also when something else is missing.
      if (failure && failure.answer !== 'missing') throw refused(failure, { args, ended });
      return JSON.parse(ended.stdout) as T[];
    },

    async list(type, labels, { signal }) {
      signal.throwIfAborted();
      const [answer] = (await daemon.look([listPath(type, labels)], signal)) ?? [];
      const seen = idsIn(type, answer);
      if (answer !== undefined && seen !== undefined) return seen;
      const listed = await client.run(listing(type, labels), { signal });
      return listed.split('\n').filter((id) => id !== '');
    },

    async dial(signal) {
      const line = await dialEngine(daemon.env(), signal);
      return {
        ...line,
        async post(path, abort, body) {
          await daemon.expected(abort);
          return line.post(path, abort, body);
        },
      };
    },

    endsWell: (container, words, signal) => endsWell(daemon, parts.clock, { container, words }, signal),
    answers: (signal) => daemon.answers(signal),
    endpoint: (signal) => daemon.endpoint(signal),
  };
  return client;
}
