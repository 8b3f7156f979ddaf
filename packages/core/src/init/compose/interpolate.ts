/** A text with its variables filled in. */
export interface Interpolated {
  readonly text: string;
  /** What has become its default, as it was written. */
  readonly defaulted: readonly string[];
  /** What has no default, as it was written. */
  readonly missing: readonly string[];
}

/**
 * Fills in the variables of a text of Compose with their defaults. Nothing is taken from the environment or from `.env`:
 * what is there may be secret, and what is written here is meant to be kept.
 */
export function interpolate(text: string): Interpolated {
  const defaulted: string[] = [];
  const missing: string[] = [];
  let filled = '';
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const whole = variableAt(rest);
    if (rest.startsWith('$$')) {
      filled += '$';
      at += 2;
    } else if (whole === undefined) {
      filled += rest.charAt(0);
      at += 1;
    } else {
      const value = defaultOf(whole);
      if (value === undefined || value.missing.length > 0) missing.push(whole);
      else defaulted.push(whole);
      filled += value?.text ?? whole;
      at += whole.length;
    }
  }
  return { text: filled, defaulted, missing };
}

/** The variable that a text begins with, to its last brace. */
function variableAt(text: string): string | undefined {
  const bare = /^\$[a-z_]\w*/i.exec(text)?.[0];
  if (bare !== undefined || !/^\$\{[a-z_]/i.test(text)) return bare;
  let depth = 0;
  for (const [at, char] of [...text].entries()) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === '}' && depth === 0) return [...text].slice(0, at + 1).join('');
  }
  return undefined;
}

/** What stands for a variable that nobody has set, if it says so. */
function defaultOf(variable: string): Interpolated | undefined {
  const [, operator = '', rest = ''] = /^\$\{\w+(:?[-+?])?(.*)\}$/s.exec(variable) ?? [];
  if (operator.endsWith('-')) return interpolate(rest);
  return operator.endsWith('+') ? interpolate('') : undefined;
}
