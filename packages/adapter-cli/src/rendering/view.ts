import type { Kernel, ResilienceEvent, StructuredError } from '@argusai/core';
import type { Format } from '../command-line/format.js';
import type { InputField, Placement } from '../command-line/input-fields.js';
import type { Input } from '../command-line/parse-input.js';
import type { NameKind } from '../completion/name-kind.js';
import type { LiveSurface, LiveView } from './live/live-view.js';
import type { Line } from './text/line.js';

/** What surrounds the data that is shown. */
export interface Scene {
  readonly kernel: Kernel;
  /** What the operation was asked. */
  readonly input: Input;
  /** Marks instead of words, lists cut to this width. Nothing elsewhere than on a terminal. */
  readonly columns?: number;
  /** Whether somebody sits there who can be asked; left out, nobody does. */
  canAsk?(): boolean;
}

/** How the command line shows one operation, whose result is `Data`. */
export interface View<Data = unknown> {
  /** Command lines for help, for a project with a service `api`. A test executes each. */
  readonly examples?: readonly string[];
  /** Options that matter only here. */
  readonly options: readonly InputField[];
  /** Ways of writing results that only this one has. */
  readonly formats?: readonly Format[];
  /** Inputs that are given without their names, by name. */
  readonly placements?: Readonly<Record<string, Placement>>;
  /** Inputs that want names of the project and are not called by their kind. */
  readonly names?: Readonly<Record<string, NameKind>>;
  /** Whether an event is told to programs only, because for people it says nothing, or nothing that the result does not. */
  unsaid?(event: ResilienceEvent): boolean;
  /** Whether stdout belongs to something else, so that the data for people goes to stderr. */
  readonly leavesStdout?: boolean;
  /** Draws the work while it goes on, on a terminal. Its code is loaded for this only. Nothing when there is nothing to draw. */
  live?(surface: LiveSurface, input: Input): Promise<LiveView> | undefined;
  /** Whether that is a result, and so is drawn where results go. */
  readonly livesOnStdout?: boolean;
  /** Whether it goes on until it is stopped and only shows things, so that without a reader it is of no use. */
  isEndless?(input: Input): boolean;
  /** What an event says that is a result of its own. */
  told?(event: ResilienceEvent, scene: Scene): readonly Line[] | undefined;
  /** Why it cannot be asked this in that format, if so. */
  refuses?(input: Input, format: Format): string | undefined;
  /** The data for people; nothing when it is for programs in any case. */
  lines?(data: Data, scene: Scene): Line[];
  /** What had been done before an error ended it, for people. */
  doneBefore?(error: StructuredError, scene: Scene): Line[];
  exitCode(data: Data, own: Input, input: Input): number;
  /** What that means beyond what holds for every command, in words; without the full stop. */
  readonly exitCodes?: string;
}
