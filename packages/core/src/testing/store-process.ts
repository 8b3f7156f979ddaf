import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** How a process ended and what it had said by then. */
export interface StoreProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: string[];
}

/** A process of its own that uses a store: it says `ready`, waits to be let go, and reports line by line. */
export class StoreProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<void>;
  #output = '';
  #errors = '';
  #wake: () => void = () => undefined;

  /** `program` is the name of a file in the folder `fixtures` beside this one. */
  constructor(program: string, module: URL, place: string, ...rest: string[]) {
    const path = fileURLToPath(new URL(`./fixtures/${program}`, import.meta.url));
    this.#child = spawn(process.execPath, [path, module.href, place, ...rest], { stdio: 'pipe' });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#wake();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    // A process that is already gone cannot be let go; how it ended says why.
    this.#child.stdin.on('error', () => undefined);
    this.#closed = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', () => resolve());
    });
  }

  /** Waits until it has said so many whole lines. */
  async line(count: number): Promise<void> {
    let ended = false;
    while (this.#lines().length < count) {
      if (ended) throw new Error(`The process ended early: ${this.#errors || this.#output}`);
      const said = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([
        said,
        this.#closed.then(() => {
          ended = true;
        }),
      ]);
    }
  }

  /** Lets it begin. */
  go(): void {
    this.#child.stdin.end('go\n');
  }

  /** Ends it without any warning. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** How it ended. What it wrote to its error output is an error here. */
  async exited(): Promise<StoreProcessExit> {
    await this.#closed;
    if (this.#errors !== '') throw new Error(`The process complained: ${this.#errors}`);
    const { exitCode: code, signalCode: signal } = this.#child;
    return { code, signal, lines: this.#lines() };
  }

  #lines(): string[] {
    return this.#output.split('\n').slice(0, -1);
  }
}
