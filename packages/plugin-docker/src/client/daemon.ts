import { once } from 'node:events';
import { connect } from 'node:net';
import {
  argumentList,
  type Circuit,
  type Clock,
  circuitOpen,
  isArgusError,
  limitedSignal,
  pause,
} from '@argusai/core';
import { dockerUnavailable } from '../error-codes.js';
import { classifyFailure, type DaemonReason, type Failure } from './classify-failure.js';
import type { DockerClientParts } from './create-docker-client.js';
import { dialEngine } from './dial-engine.js';
import { tookTooLong, unavailable } from './docker-error.js';
import { findEndpoint } from './find-endpoint.js';
import { type LineRequest, type LookLine, lookLineOf } from './look-line.js';
import { type Ended, runDocker, type Start } from './run-docker.js';
import { SharedQuestion } from './shared-question.js';
import { streamDocker } from './stream-docker.js';
import { endpointPlace, whichEngine } from './which-engine.js';

/** A call of the daemon: for whom, how long, with what. */
export interface Call extends Pick<Start, 'input' | 'onLine' | 'onStart' | 'signal'> {
  readonly timeoutMs?: number | undefined;
  /** Added to the environment of the client. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const question = argumentList(['version'], { format: '{{json .Server}}' });

/** Answers that need not be an engine's. */
const unclear: readonly string[] = ['failed', 'invalid'];

/** Commands in whose output others speak: programs in containers, builds. They can say anything. */
const messengers = ['attach', 'build', 'buildx', 'compose', 'exec', 'logs', 'run', 'start'];

/** How long the client may take to say where it looks for the daemon, and an ended client to go. */
const endpointMs = 2_000;

/** How long the daemon may take to say that it is there while its circuit is open. */
const knockMs = 1_000;

/** How long it takes at most until what a terminal tells everybody has reached this process too, in milliseconds. */
const toldMs = 250;

/** Tells whether an error means that the daemon cannot be used. */
function isDaemonFault(error: unknown): boolean {
  return isArgusError(error) && error.code === dockerUnavailable.code;
}

/**
 * Tells whether an error is one that the circuit counts. Where there is no client nobody was asked, so nothing is known of the
 * daemon, and there is nothing to hold back: looking for a program costs nothing.
 */
function isCounted(error: unknown): boolean {
  if (!isDaemonFault(error) || !isArgusError(error)) return false;
  return error.error.details.reason !== ('not-installed' satisfies DaemonReason);
}

/** The daemon behind its circuit. Here is found out whether it answers; what it answers is for others to read. */
export class Daemon {
  readonly #circuit: Circuit;
  readonly #clock: Clock;
  readonly #ownEnv: Start['env'] | undefined;
  /** How long the daemon may take for a simple question, and for any other command. */
  readonly #limits: { readonly question: number; readonly command: number };
  readonly #lookLine: LookLine;
  /** When the daemon goes, everybody who was talking to it asks: that is one fault of it, or two, and not ten. */
  readonly #pings = new SharedQuestion((signal) =>
    this.#circuit.execute(() => this.#question(signal), { signal }),
  );
  #endpoint: string | undefined;

  constructor({ circuits, clock, env, timeoutMs = 5_000 }: DockerClientParts) {
    this.#clock = clock;
    this.#ownEnv = env;
    this.#limits = { question: timeoutMs, command: 2 * timeoutMs };
    const probeTimeoutMs = this.#limits.command + this.#limits.question + 4 * endpointMs;
    this.#circuit =
      circuits.get('docker') ??
      circuits.define({
        name: 'docker',
        isFault: isCounted,
        probeTimeoutMs,
        probeWaitMs: this.#limits.question,
        isBack: (signal) => this.#knock(signal),
        // What another engine does must not be held against this one.
        scope: whichEngine(this.env()),
      });
    this.#lookLine = lookLineOf(this.#circuit, clock, (signal) => dialEngine(this.env(), signal));
  }

  /** The environment of every command. */
  env(): Start['env'] {
    return this.#ownEnv ?? process.env;
  }

  /** Runs a command. Throws only when the daemon is at fault, the command takes too long or the signal aborts. */
  async call(args: readonly string[], call: Call): Promise<Ended> {
    const { signal, timeoutMs = this.#limits.command } = call;
    signal.throwIfAborted();
    const isShort = timeoutMs <= this.#limits.command && !messengers.includes(args[0] ?? '');
    return isShort
      ? this.#circuit.execute(() => this.#ask(args, call, timeoutMs), { signal })
      : this.#wait(args, call, timeoutMs);
  }

  /** Runs a command and gives its lines as they come. */
  stream(args: readonly string[], signal: AbortSignal): ReturnType<typeof streamDocker> {
    return streamDocker(args, { env: this.env(), signal });
  }

  /** Whether the daemon answers by now, found out beside the circuit. One that hangs costs no more than a moment. */
  async #knock(signal: AbortSignal): Promise<boolean> {
    const limit = limitedSignal(this.#clock, knockMs, signal);
    try {
      // Where nobody listens no client need be started to find that out.
      if (!(await listens(await this.endpoint(limit.signal)))) return false;
      const line = await dialEngine(this.env(), limit.signal);
      try {
        return (await line.get('/_ping', limit.signal)).status === 200;
      } finally {
        line.close();
      }
    } catch {
      // Whatever went wrong, it has not answered.
      signal.throwIfAborted();
      return false;
    } finally {
      limit.release();
    }
  }

  /** Asks the daemon, through the circuit, whether it is there: once for all who want to know at the same moment. */
  ping(signal: AbortSignal): Promise<void> {
    return this.#pings.ask(signal);
  }

  /** Asks the daemon whether it is back. That it is not counts for nothing; an open circuit holds back this question too. */
  async answers(signal: AbortSignal): Promise<void> {
    const { state } = await this.#circuit.state();
    if (state === 'closed') await this.#question(signal);
    else await this.ping(signal);
  }

  /** Throws unless the daemon can be expected to answer; gives the number of its latest faults in a row. */
  async expected(signal: AbortSignal): Promise<number> {
    const { state, failureCount } = await this.#circuit.state();
    if (state !== 'closed') await this.ping(signal);
    return failureCount;
  }

  /**
   * Asks for things over one line that the client keeps open, where the daemon gave no cause to doubt it lately. Nothing
   * otherwise: then `call` has to find out.
   */
  async look<T>(
    paths: readonly (string | LineRequest)[],
    signal: AbortSignal,
  ): Promise<(T | undefined)[] | undefined> {
    const { state, failureCount } = await this.#circuit.state();
    if (state !== 'closed' || failureCount > 0) return undefined;
    return this.#lookLine.ask<T>(paths, signal);
  }

  /** What a command that failed was answered, once it is known that the daemon is not at fault. */
  meaningOf(ended: Ended): Extract<Failure, { kind: 'answer' }> {
    const failure = classifyFailure(ended);
    return failure.kind === 'answer' ? failure : { kind: 'answer', answer: 'failed' };
  }

  /** Where the daemon is looked for. */
  async endpoint(signal: AbortSignal): Promise<string> {
    const limited = limitedSignal(this.#clock, endpointMs, signal);
    try {
      this.#endpoint ??= await findEndpoint({ env: this.env(), signal: limited.signal });
      return this.#endpoint;
    } finally {
      limited.release();
    }
  }

  /** A command that a working daemon carries out at once: when it takes long, the daemon hangs. */
  async #ask(args: readonly string[], call: Call, limitMs: number): Promise<Ended> {
    const { ended, timedOut } = await this.#run(args, call, limitMs);
    if (ended.exitCode === 0) return ended;
    const failure = classifyFailure({ ...ended, timedOut });
    if (failure.kind === 'daemon') throw await this.#fault(failure.reason, ended, limitMs, call.signal);
    if (args[0] === question[0]) throw await this.#fault('not-an-engine', ended, limitMs, call.signal);
    // Anything that speaks HTTP can refuse a command. Only an engine knows its version.
    if (unclear.includes(failure.answer)) await this.#question(call.signal);
    return ended;
  }

  async #question(signal: AbortSignal): Promise<void> {
    await this.#ask(question, { signal }, this.#limits.question);
  }

  /**
   * A command that may take long, or whose output is not the client's own. Neither its silence nor its words prove
   * anything about the daemon, so the daemon is asked: in the meantime, and when the command has failed.
   */
  async #wait(args: readonly string[], call: Call, limitMs: number): Promise<Ended> {
    const { signal } = call;
    const failureCount = await this.expected(signal);
    const stop = new AbortController();
    const unwatch = this.#watch(signal, (fault) => stop.abort(fault));
    const { ended, timedOut } = await this.#run(args, call, limitMs, stop.signal).finally(unwatch);
    if (ended.exitCode === 0) {
      // The daemon has answered, so earlier faults are no longer in a row. The circuit may have opened meanwhile.
      if (failureCount > 0) await this.#circuit.execute(async () => undefined).catch(ignoreOpen);
      return ended;
    }
    if (stop.signal.aborted) throw stop.signal.reason;
    const isSuspect = (ended.exitCode ?? 255) === 255 || classifyFailure(ended).kind === 'daemon';
    if (timedOut || isSuspect) await this.ping(signal);
    if (timedOut) throw tookTooLong(args, limitMs, ended.stderr);
    return ended;
  }

  /** Asks the daemon every so often whether it is still there. Gives back how to stop. */
  #watch(signal: AbortSignal, onFault: (fault: unknown) => void): () => void {
    let cancel: () => void = () => undefined;
    let isOver = false;
    const watch = () => {
      cancel = this.#clock.after(this.#limits.command, () => {
        this.ping(signal).then(next, (thrown) => (isDaemonFault(thrown) ? onFault(thrown) : next()));
      });
    };
    const next = () => {
      if (!isOver) watch();
    };
    watch();
    return () => {
      isOver = true;
      cancel();
    };
  }

  async #run(args: readonly string[], call: Call, limitMs: number, stopped?: AbortSignal) {
    const { signal, env, input, onLine, onStart } = call;
    const limit = limitedSignal(this.#clock, limitMs);
    try {
      const any = AbortSignal.any([signal, limit.signal, ...(stopped ? [stopped] : [])]);
      const ended = await runDocker(args, {
        env: { ...this.env(), ...env },
        input,
        onLine,
        onStart,
        signal: any,
      });
      // A terminal tells everybody in its foreground, and this process may hear of it after its client has ended.
      if (!any.aborted && wasInterrupted(ended))
        await pause(this.#clock, toldMs, signal).catch(() => undefined);
      signal.throwIfAborted();
      return { ended, timedOut: limit.signal.aborted };
    } finally {
      limit.release();
    }
  }

  async #fault(reason: DaemonReason, { stderr }: Ended, waitedMs: number, signal: AbortSignal) {
    const endpoint = await this.endpoint(signal);
    return unavailable({ reason, endpoint, where: endpointPlace(this.env()), output: stderr, waitedMs });
  }
}

/** Whether it was a signal that ended a client, or a client says that it was one. */
function wasInterrupted({ exitCode, systemCode }: Ended): boolean {
  return exitCode === 130 || (exitCode === null && systemCode === undefined);
}

/** Whether somebody takes connections on a socket of this machine; of any other place only its client can tell. */
async function listens(endpoint: string): Promise<boolean> {
  if (!endpoint.startsWith('unix://')) return true;
  const socket = connect(endpoint.slice('unix://'.length));
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

function ignoreOpen(thrown: unknown): void {
  if (!isArgusError(thrown) || thrown.code !== circuitOpen.code) throw thrown;
}
