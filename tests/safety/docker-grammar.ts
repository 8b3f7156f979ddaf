/** A command as Docker's client understands it. */
export interface UnderstoodCommand {
  /** `run`, `network create`. */
  readonly name: string;
  readonly options: readonly (readonly [name: string, value: string | undefined])[];
  readonly operands: readonly string[];
}

const groups = ['container', 'context', 'image', 'network', 'system', 'volume'];

/** Commands of which everything after the first operand is somebody else's. */
const passingOn = ['run', 'exec', 'create'];

/** What takes no value; everything else does, in the same word or in the next. */
const flags = new Set(
  ['all', 'd', 'detach', 'f', 'follow', 'force', 'force-rm', 'i', 'init', 'interactive', 'no-healthcheck']
    .concat([
      'no-trunc',
      'P',
      'privileged',
      'publish-all',
      'q',
      'quiet',
      'read-only',
      'rm',
      't',
      'timestamps',
    ])
    .concat(['tty', 'v', 'volumes']),
);
/** These letters are volumes, tags and times where a container is made, built or stopped. */
const takingValues: Readonly<Record<string, readonly string[]>> = {
  run: ['v'],
  create: ['v'],
  build: ['t', 'f'],
  stop: ['t'],
};

/** Reads a command as the client does (pflag, of Go): it knows nothing of how argus spells what it means. */
export function understand(words: readonly string[]): UnderstoodCommand {
  const depth = groups.includes(words[0] ?? '') ? 2 : 1;
  const name = words.slice(0, depth).join(' ');
  const isFlag = (option: string) => flags.has(option) && !takingValues[name]?.includes(option);
  const options: [string, string | undefined][] = [];
  const operands: string[] = [];
  const rest = words.slice(depth);
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const isOver = word === '--' || (operands.length > 0 && passingOn.includes(name));
    if (isOver) {
      operands.push(...(word === '--' ? [] : [word]), ...rest);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const long = /^--([^=]*)(?:=(.*))?$/s.exec(word);
    const short = /^-(.)=?(.*)$/s.exec(word);
    const option = long?.[1] ?? short?.[1] ?? '';
    const own = long ? long[2] : short?.[2] || undefined;
    options.push([option, own ?? (isFlag(option) ? undefined : rest.shift())]);
  }
  return { name, options, operands };
}
