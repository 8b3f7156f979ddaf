/** How programs say that a variable of the environment is not there. */
const sayings = [
  /\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b["'`]? (?:environment variable )?(?:is|was|must be|needs to be|has to be)? ?(?:not set|not defined|undefined|missing|required|unset|empty|set\b|provided|specified)/,
  /(?:missing|undefined|unset|required|set|no|needs?|expected|environment)(?: the)?(?: required| mandatory)?(?: environment| env)?(?: variables?| vars?)?(?: not found)?:? ["'`$]?([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b/i,
  /\b([A-Z][A-Z0-9_]*[A-Z0-9]): (?:unbound variable|parameter null or not set|parameter not set)/,
  /KeyError: ["']([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])["']/,
];

/** The variable whose absence a service complains of in its last words; the first that it names. */
export function missingVariable(
  lines: readonly string[],
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const named = lines.flatMap((line) => sayings.flatMap((saying) => saying.exec(line)?.[1] ?? []));
  // One that is set and not empty is wrong for another reason.
  return named.find(
    (name) => /^(?!ERR_)[A-Z]/.test(name) && name === name.toUpperCase() && !environment[name],
  );
}
