import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Blamed, blame, type CodeAtWork } from '@argusai/core';
import { UnknownTool } from '../tools/request.js';
import { type Ended, WorkEnded } from './ended.js';
import { workerEnv } from './is-worker.js';
import {
  type Ask,
  type FromWorker,
  reportDescriptor,
  type Standstill,
  type ToWorker,
  type UnderWay,
} from './messages.js';

interface Waiting {
  readonly onStep: ((step: string) => void) | undefined;
  resolve(result: unknown): void;
  reject(thrown: Error): void;
}

/** How often it is asked whether it still answers, in milliseconds. */
const askMs = 1_000;
/** How much longer it may be silent than its own thread lets it, which knows where it stands. */
const graceMs = 5_000;

/** One process that works, and what is waited for from it. */
export class WorkerProcess {
  /** Settles when it is gone. */
  readonly gone: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #silenceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #timer: NodeJS.Timeout;
  #last = 0;
  #code: Pick<CodeAtWork, 'plugins' | 'checks'> = { plugins: [], checks: [] };
  #changing: readonly string[] = [];
  #underWay: UnderWay = { calls: [], guarded: [] };
  /** For so many milliseconds it has not answered. */
  #silentMs = 0;
  #blamed: Blamed | undefined;
  #hasNews = false;

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
      // Away from the terminal, whose signals reach this process and are handed on once.
      detached: true,
      // Whatever a plugin prints to its stdout, by whatever way, is not the protocol.
      stdio: ['ignore', 2, 2, 'ipc', 'pipe'],
      env: workerEnv(process.env),
    });
    this.#timer = setInterval(() => this.#askForLife(), askMs);
    this.#child.on('message', (message: FromWorker) => this.#hear(message));
    // What cannot be sent to it any more is answered by its end.
    this.#child.on('error', () => undefined);
    // Without any descriptor left, it was not even begun to start it.
    const { stdio } = this.#child as Partial<ChildProcess>;
    const input = stdio?.[reportDescriptor] as Readable | undefined;
    if (input) createInterface({ input }).on('line', (line) => this.#read(line));
    this.gone = new Promise((resolve) => {
      const end = (by: Pick<Ended, 'code' | 'signal' | 'notStarted'>) => {
        clearInterval(this.#timer);
        const ended = { ...by, ...this.#whatEnded() };
        for (const { reject } of this.#waiting.values()) reject(new WorkEnded(ended));
        this.#waiting.clear();
        resolve(ended);
      };
      this.#child.once('exit', (code, signal) => end({ code, signal }));
      // It could not be started: then there is no exit.
      this.#child.once('error', ({ message }) => {
        if (this.#child.pid === undefined) end({ code: null, signal: null, notStarted: message });
      });
    });
  }

  /** Has it do something, and waits for the result. */
  ask(ask: Ask, signal?: AbortSignal, onStep?: (step: string) => void): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const cancel = () => this.tell({ cancel: id });
    const done = new Promise((resolve, reject) => {
      this.#waiting.set(id, { onStep, resolve, reject });
      this.tell({ id, ask });
    });
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    return done.finally(() => signal?.removeEventListener('abort', cancel));
  }

  tell(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Whether it has told of other tools; that is told once. */
  takeNews(): boolean {
    const had = this.#hasNews;
    this.#hasNews = false;
    return had;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #hear(message: FromWorker): void {
    this.#silentMs = 0;
    if ('underWay' in message) this.#underWay = message.underWay;
    else if ('plugins' in message) this.#code = { ...this.#code, plugins: message.plugins };
    else if ('checks' in message) this.#code = { ...this.#code, checks: message.checks };
    else if ('changing' in message) this.#changing = message.changing;
    else if ('news' in message) this.#hasNews = true;
    else this.#settle(message);
  }

  #settle(message: Extract<FromWorker, { id: number }>): void {
    const waiting = this.#waiting.get(message.id);
    if ('step' in message) {
      waiting?.onStep?.(message.step);
      return;
    }
    this.#waiting.delete(message.id);
    if ('unknownTool' in message) waiting?.reject(new UnknownTool(message.unknownTool));
    else if ('failure' in message) waiting?.reject(new Error(message.failure));
    // Nothing is a result too, and is not there any more when it has come this way.
    else waiting?.resolve(message.result);
  }

  /** Counted by turns of this process, so that a machine that sleeps lets nobody seem silent. */
  #askForLife(): void {
    this.tell({ ping: true });
    this.#silentMs += askMs;
    if (this.#silentMs > this.#silenceMs + graceMs) this.#standsStill({ frames: [] });
  }

  #read(line: string): void {
    try {
      this.#standsStill(JSON.parse(line) as Standstill);
    } catch {
      // A plugin has written it: the thread writes nothing else.
    }
  }

  #standsStill({ frames }: Standstill): void {
    this.#blamed ??= blame(frames, this.#code, import.meta.dirname);
    this.kill();
  }

  #whatEnded(): Pick<Ended, 'standstill' | 'underWay' | 'changing'> {
    return {
      ...(this.#blamed ? { standstill: { ...this.#blamed, forMs: this.#silenceMs } } : {}),
      underWay: this.#underWay,
      changing: this.#changing,
    };
  }
}
