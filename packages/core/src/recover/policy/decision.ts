/** The rules of the policy, by name. */
export type RuleName = 'exclusion' | 'autonomy' | 'correlated' | 'consecutive' | 'unasked' | 'budget';

/** What the policy says to a proposal. A refusal names the rule and gives the reason for people, in one line. */
export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly rule: RuleName; readonly reason: string };
