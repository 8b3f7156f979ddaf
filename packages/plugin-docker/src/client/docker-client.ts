import type { EngineLine } from './dial-engine.js';
import type { ListedType } from './engine-paths.js';

/** A line of a command's output, and where it was written. */
export interface OutputLine {
  readonly text: string;
  readonly stream: 'stdout' | 'stderr';
}

/** What `inspect` can be asked for. */
export type ObjectType = 'container' | 'network' | 'volume' | 'image';

/** How long and for whom a command runs. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /**
   * How long it may take, in milliseconds: ten seconds when left out. A command that is given longer is not waited for
   * in vain: when it takes long, the daemon is asked whether it is still there.
   */
  readonly timeoutMs?: number;
}

/** All access to Docker: the user's own CLI behind the circuit `docker`. */
export interface DockerClient {
  /**
   * Runs a command to its end and gives its stdout. Throws `DOCKER_UNAVAILABLE` and `CIRCUIT_OPEN` when the daemon is
   * at fault, otherwise the code of its ordinary answer (`DOCKER_OBJECT_MISSING`, `PORT_CONFLICT` …).
   */
  run(
    args: readonly string[],
    options: CallOptions & {
      readonly input?: string;
      /** The service that the command is for, to be named in a `PORT_CONFLICT`. */
      readonly service?: string;
    },
  ): Promise<string>;
  /**
   * Runs a command whose output matters while it runs, such as a build, or one of which a failure is an answer too. A
   * non-zero exit code is an answer, unless the daemon is at fault: then it throws as `run` does. Without `onLine`, what
   * it wrote to its stdout is given back.
   */
  follow(
    args: readonly string[],
    options: CallOptions & {
      readonly env?: Readonly<Record<string, string>>;
      readonly input?: string;
      readonly onLine?: (line: string, stream: OutputLine['stream']) => void;
      /** Told of the process that runs it. */
      readonly onStart?: (pid: number) => void;
    },
  ): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** Lines of a command that goes on until the signal aborts or it ends by itself: `events`, `logs --follow`. */
  lines(args: readonly string[], options: { readonly signal: AbortSignal }): AsyncIterable<OutputLine>;
  /** What `docker inspect` says of many objects, in one look; those that do not exist are left out. */
  inspect<T>(
    type: ObjectType,
    ids: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<T[]>;
  /** The ids of all that carries these labels, also of containers that do not run. */
  list(
    type: ListedType,
    labels: Readonly<Record<string, string>>,
    options: { readonly signal: AbortSignal },
  ): Promise<string[]>;
  /**
   * Whether a command inside a container ends well, found out without starting a client for it. False says nothing: then it has to be
   * run in the ordinary way.
   */
  endsWell(container: string, words: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** Opens a line to the engine, behind the same circuit. It is closed when the signal aborts. */
  dial(signal: AbortSignal): Promise<EngineLine>;
  /**
   * Resolves when the daemon answers, throws `DOCKER_UNAVAILABLE` or `CIRCUIT_OPEN` when it does not. For whoever waits until it is back: that it
   * is still away is not counted by the circuit, but one that is open holds back this question too.
   */
  answers(signal: AbortSignal): Promise<void>;
  /** Where the daemon is looked for, for messages. */
  endpoint(signal: AbortSignal): Promise<string>;
}
