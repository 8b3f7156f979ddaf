import type { Answer } from './world/answer.js';
import type { Config, World } from './world/world.js';

/** A small program that breaks something real. What it holds or has stopped is as before when the test is over. */
export interface Fault {
  /** What it does: `takes a port`. */
  readonly name: string;
  break(world: World): Promise<void>;
}

/** The error by which a fault must be reported. */
export interface Expectation {
  readonly code: string;
  readonly category: 'infrastructure' | 'container' | 'network' | 'system';
  readonly severity: 'fatal' | 'recoverable' | 'warning';
  /** Must be among its details; may hold matchers of vitest. */
  details(world: World): Readonly<Record<string, unknown>>;
}

/** The event by which a fault must be reported, where the command that meets it gets over it by itself. */
export interface ToldEvent {
  readonly event: string;
  /** Must be among what it carries; may hold matchers of vitest. */
  data(world: World): Readonly<Record<string, unknown>>;
}

/** What goes wrong, what must be said of it, and what must be true in the end. */
export interface Scenario {
  readonly name: string;
  /** The project, as people would write it. */
  config(world: World): Config;
  /** Brings the world to where the fault strikes. */
  before?(world: World): Promise<void>;
  readonly fault: Fault;
  /** The commands that a person or a CI job runs then. Where it is recoverable the last one must be fine. */
  readonly commands: readonly (readonly string[])[];
  /** How it must be reported, or why there is nothing to report. */
  readonly detected: Expectation | ToldEvent | { readonly nothing: string };
  /** Whether argus can get the environment to work without a person. */
  readonly recoverable: boolean;
  /**
   * Looks at the world itself, not at what argus says of it: it works again, or, where that cannot be, nothing is left half
   * done; and what is not ours is as it was. Throws when that is not so.
   */
  verify(world: World, answers: readonly Answer[]): Promise<void>;
  /** Something else that is worth knowing, for people. */
  note?(answers: readonly Answer[]): string;
  /** What comes of it without preflight and recovery, or why that tells nothing. */
  readonly without: 'fails' | 'works' | { readonly pointless: string };
  /** What an agent that knows nothing wants to be fine, one after the other, or why it would have nothing to do. */
  readonly agent: { readonly goals: readonly (readonly string[])[] } | { readonly pointless: string };
}
