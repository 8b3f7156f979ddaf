/** The options of HEALTHCHECK, by what they are called here. */
const options = {
  interval: 'interval',
  timeout: 'timeout',
  retries: 'retries',
  'start-period': 'startPeriod',
} as const;

/** The health check that a HEALTHCHECK asks for; nothing when it turns one off. */
export function healthcheckOf(text: string): Record<string, unknown> | undefined {
  const [, flags = '', command = ''] = /^((?:--\S+\s+)*)CMD\s+(.+)$/is.exec(text) ?? [];
  if (command === '') return undefined;
  const given = Object.entries(options).flatMap(([flag, key]) => {
    const value = new RegExp(`--${flag}=(\\S+)`).exec(flags)?.[1];
    return value === undefined ? [] : [[key, key === 'retries' ? Number(value) : value]];
  });
  return { command: wordsOf(command), ...Object.fromEntries(given) };
}

/** A list of words in JSON is run as it is, everything else by a shell. */
function wordsOf(command: string): unknown {
  try {
    const words: unknown = JSON.parse(command);
    return Array.isArray(words) ? words : command;
  } catch {
    // Docker takes what is no JSON for a line of the shell, too.
    return command;
  }
}
