/** One thing that a contract asks for. It is data and a function, so that it can be tried without a test runner. */
export interface Rule<Subject> {
  /** The rest of a sentence that begins with the thing: `stops when it is told to`. */
  readonly name: string;
  /** What users would suffer without it. */
  readonly protects: string;
  /** What is wrong, in one line, or nothing. */
  check(subject: Subject): Promise<string | undefined>;
}

/** A rule that is about to be tried on something. */
export interface Trial {
  readonly rule: Pick<Rule<never>, 'name' | 'protects'>;
  /** The scenario in which it is tried, where the rule needs one. */
  readonly scenario?: string;
  /** Tries it; the text says what is wrong, and nothing means that it holds. */
  run(): Promise<string | undefined>;
}

/** A rule that was broken. */
export interface Complaint {
  readonly rule: string;
  readonly scenario?: string;
  /** What is wrong, in one line. */
  readonly complaint: string;
}
