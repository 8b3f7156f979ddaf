import type { CommandStreams, Kernel } from '@argusai/core';

/** A place to write to. */
export interface Output {
  /** Whether a person looks at it. */
  readonly isTTY: boolean;
  /** How wide it is, in characters. */
  readonly columns: number;
  /** How high it is, in lines. */
  readonly rows: number;
  /** Writes without waiting. A reader who has gone away is no error. */
  write(text: string): void;
  /** Settles when it shows that the reader has gone away. */
  readonly unread?: Promise<void>;
  /** Looks for the reader now and then from here on, so that it also shows where nothing is written. */
  heedReader?(): void;
  /** Shows or hides the cursor; whatever happens, it is shown again in the end. */
  showCursor(visible: boolean): void;
  /** Calls it whenever the size changes, until the end of that. */
  onResize?(listener: () => void): () => void;
  /** Hands to `take` what anybody else writes here, until it is released; for what is drawn in one place of a terminal. */
  claim?(take: (text: string) => void): Claim | undefined;
}

/** The only way to an output while it is claimed. */
export interface Claim {
  write(text: string): void;
  release(): void;
}

/**
 * What ends the program before its work is done: a signal, a crash of something that nobody waits for, nothing left to wait for,
 * or nobody left to tell what has no end.
 */
export type Interruption =
  | { readonly kind: 'signal'; readonly name: string; readonly number: number }
  | { readonly kind: 'crash'; readonly thrown: unknown; readonly patienceMs?: number }
  | { readonly kind: 'dead-end'; readonly thrown: unknown }
  | { readonly kind: 'unread' };

/** Asks a person and gives what was typed. */
export type Prompt = (question: string, signal: AbortSignal) => Promise<string>;

/** The world around the program, so that it can run inside a test as well. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The secrets that were found so far, in the environment and in configurations. What is told of a crash has none of them. */
  readonly secrets: Set<string>;
  readonly cwd: string;
  /** The version of this package. */
  readonly version: string;
  /** The file that starts this program; without it, it cannot start itself in the background. */
  readonly program?: string;
  /** Settles when a signal arrives or something crashes outside every `await`. */
  readonly interrupted: Promise<Interruption>;
  /** Takes what is to be done when a second signal ends the program at once. */
  readonly whenHasty?: (sayLastWords: () => void) => void;
  /** Whether something was ended because it held everything up; then it is `interrupted` that tells, and no result. */
  readonly wasCutOff?: () => boolean;
  /** Is told what was opened, before anything of it is at work. */
  readonly opened?: (kernel: Kernel) => void;
  /** Where the output of commands of the user goes; all of it to stderr when stdout is for programs. Without it, it is kept. */
  readonly streams?: (stdoutIsOurs: boolean) => CommandStreams;
  /** How to ask the person at the terminal, if somebody sits there. */
  readonly prompt?: () => Prompt | undefined;
}
