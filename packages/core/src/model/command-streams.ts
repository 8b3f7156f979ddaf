/** Where one stream of a command goes: to the same place as that of this process, nowhere, or to a descriptor. */
export type CommandStream = 'inherit' | 'ignore' | number;

/** How a surface lets commands of the user run, such as tests. Without it their output is kept, and its end reported. */
export interface CommandStreams {
  /** Standard input, output and error. */
  readonly stdio: readonly [CommandStream, CommandStream, CommandStream];
  /** Asked when the work is cancelled: whether the command was told as well, as by a terminal, and ends by itself. */
  isToldToo(): boolean;
}
