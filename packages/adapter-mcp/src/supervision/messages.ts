import type { Frame, LoadedCode } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import type { Request } from '../tools/request.js';

/** What is asked of the process that works. */
export type Ask =
  | { readonly to: 'listTools' | 'listResources' }
  | { readonly to: 'readResource'; readonly uri: string }
  | {
      readonly to: 'callTool';
      readonly request: Omit<Request, 'signal' | 'onStep'> & { readonly tellsSteps: boolean };
    };

/** A call that the process before this one had under way when it was ended, and what is answered to whoever asks for it. */
export interface LostCall {
  readonly runId: string;
  readonly tool: string;
  readonly answer: Answer;
}

export type ToWorker =
  | { readonly id: number; readonly ask: Ask }
  | { readonly cancel: number }
  | { readonly lost: readonly LostCall[] }
  | { readonly ping: true }
  | { readonly leave: true };

/** What the process that works has under way: who ends it wants to say what was cut off. */
export interface UnderWay {
  readonly calls: readonly { readonly runId: string; readonly tool: string }[];
  /** The folders of the runs that it guards. */
  readonly guarded: readonly string[];
}

/** What has become another one: the loaded plugins, the checks at work, the tools that are changing something. */
export type CodeChange =
  | { readonly plugins: readonly LoadedCode[] }
  | { readonly checks: readonly string[] }
  | { readonly changing: readonly string[] }
  | { readonly underWay: UnderWay };

export type FromWorker =
  | { readonly id: number; readonly result?: unknown }
  | { readonly id: number; readonly unknownTool: string }
  | { readonly id: number; readonly failure: string }
  | { readonly id: number; readonly step: string }
  | { readonly news: true }
  | CodeChange;

/** Where the thread beside the work says that the work stands still. */
export const reportDescriptor = 4;

/** That the work stands still, and where; without frames it stands in code that is not JavaScript. */
export interface Standstill {
  readonly frames: readonly Frame[];
}
