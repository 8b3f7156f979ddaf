/** What one scenario showed in one of the three ways; it travels with the test to whoever makes the table. */
export type Row =
  | {
      readonly way: 'with';
      readonly scenario: string;
      /** The code it was reported with; null when it was not. */
      readonly detected: string | null;
      /** Whether there was something to be detected. */
      readonly detectable: boolean;
      readonly recoverable: boolean;
      /** Whether the world was as it must be in the end. */
      readonly verified: boolean;
      /** From the fault until that was so. */
      readonly seconds: number;
      /** Something else that is worth knowing. */
      readonly note?: string;
      /** Why one of the other ways was left out, where it was. */
      readonly leftOut?: { readonly without?: string; readonly agent?: string };
    }
  | { readonly way: 'without'; readonly scenario: string; readonly works: boolean; readonly why: string }
  | {
      readonly way: 'agent';
      readonly scenario: string;
      /** It got the environment to work, or stopped in time where that cannot be. */
      readonly right: boolean;
      readonly calls: readonly string[];
      readonly verdict: 'healthy' | 'stopped' | 'lost';
    };

declare module 'vitest' {
  interface TaskMeta {
    /** What a scenario of faults showed. */
    fault?: Row;
  }
}
