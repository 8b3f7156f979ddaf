/** A thing in the folder that a configuration can be made from. */
export interface Source {
  readonly kind: 'e2e' | 'compose' | 'dockerfile' | 'package.json';
  /** Its name in the folder. */
  readonly file: string;
}

/** A service as it may be written, not yet judged by the schema. */
export interface DraftService {
  readonly name: string;
  /** The file that it comes from. */
  readonly from: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** What people should know about it: what could not be carried over, and why. */
  readonly notes: readonly string[];
  /** Whether it is only shown how to write it, because something else may be the service already. */
  readonly isSuggestion?: boolean;
}

/** A suite as it may be written. */
export interface DraftSuite {
  readonly id: string;
  readonly command: string | readonly string[];
  readonly [key: string]: unknown;
}

/** What one source has to say about the configuration. */
export interface Draft {
  readonly source: Source;
  readonly project?: string;
  readonly services: readonly DraftService[];
  readonly suites: readonly DraftSuite[];
  /** Other sections of a configuration, by name. */
  readonly sections?: Readonly<Record<string, unknown>>;
  /** Whether it could not be read, so that nothing is made from it. */
  readonly isUnread?: boolean;
  /** What concerns the whole of it. */
  readonly notes: readonly string[];
}
