import type { Attempt, PortSeen, Seen } from './probe.js';

/**
 * Looks names up and connects to ports with what an image usually has: getent or nslookup, nc or bash. Each attempt is a
 * word, `host,port,port`; each finding is a line. What a tool does not say clearly is `?`. No interpreters: what runs in a
 * container counts towards its memory, and a probe must never be the reason why a service is killed.
 */
const script = `
set -f
limit=$1; shift
export LC_ALL=C
has() { command -v "$1" >/dev/null 2>&1; }
fine=$(date +%s%N 2>/dev/null)
case $fine in *[!0-9]*) fine= ;; esac
say() {
  at=-
  if [ -n "$fine" ]; then at=$(date +%s%N); else read -r at rest 2>/dev/null </proc/uptime; fi
  echo "$at $*"
}
longer=$((limit + 1))
within=
if has timeout; then
  if timeout 5 sh -c : 2>/dev/null; then within="timeout $longer"
  elif timeout -t 5 sh -c : 2>/dev/null; then within="timeout -t $longer"; fi
fi
name() {
  say "D $1"
  while read -r ip names; do
    case $ip in '#'*) continue ;; esac
    for n in $names; do if [ "$n" = "$2" ]; then say "d $1 yes $ip"; return; fi; done
  done 2>/dev/null </etc/hosts
  if has getent; then
    found=$($within getent hosts "$2" 2>/dev/null)
    case $? in
      0) say "d $1 yes \${found%% *}" ;;
      2) say "d $1 no" ;;
      *) say "d $1 ?" ;;
    esac
  elif has nslookup; then
    found=$($within nslookup "$2" 2>&1)
    case $found in
      *Name:*)
        found=\${found#*Name:}; found=\${found##*Address}; found=\${found#*: }
        say "d $1 yes \${found%%[!0-9a-fA-F:.]*}" ;;
      *NXDOMAIN*|*'oes not resolve'*|*'or service not known'*) say "d $1 no" ;;
      *) say "d $1 ?" ;;
    esac
  else say "d $1 ?"; fi
}
said() {
  case $3 in
    *efused*) say "t $1 $2 refused" ;;
    *nreachable*|*'o route'*) say "t $1 $2 no-route" ;;
    *'imed out'*|*TIMEOUT*) say "t $1 $2 timed-out" ;;
    *) return 1 ;;
  esac
}
port() {
  say "T $1 $3"
  if has nc; then
    heard=$($within nc -v -z -w "$limit" "$2" "$3" 2>&1 </dev/null)
    code=$?
    case $heard in
      *sage:*|*' option'*) code=1; heard= ;;
    esac
    if [ $code = 0 ]; then say "t $1 $3 open"; return; fi
    if said "$1" "$3" "$heard"; then return; fi
  fi
  if [ -n "$within" ] && has bash; then
    heard=$($within bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$2" "$3" 2>&1)
    case $? in
      0) say "t $1 $3 open"; return ;;
      124|143) say "t $1 $3 timed-out"; return ;;
    esac
    if said "$1" "$3" "$heard"; then return; fi
  fi
  if has nc; then
    heard=$($within nc -w "$limit" "$2" "$3" -e true 2>&1 </dev/null)
    code=$?
    case $heard in
      *sage:*|*' option'*) heard=$($within nc -w "$limit" "$2" "$3" 2>&1 </dev/null); code=$? ;;
    esac
    if [ $code = 0 ]; then say "t $1 $3 open"; return; fi
    if said "$1" "$3" "$heard"; then return; fi
  fi
  say "t $1 $3 ?"
}
one() {
  number=$1
  IFS=,; set -- $2; unset IFS
  host=$1; shift
  name "$number" "$host"
  for p in "$@"; do port "$number" "$host" "$p"; done
}
count=0
for attempt in "$@"; do one "$count" "$attempt" & count=$((count + 1)); done
wait
echo end
`;

/** The words after `sh` that try all of these. */
export function scriptWords(attempts: readonly Attempt[], timeoutMs: number): string[] {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1000));
  const words = attempts.map(({ host, ports }) => [host, ...ports].join(','));
  return ['-c', script, 'sh', `${seconds}`, ...words];
}

/** Reads what the script says, line by line. */
export class ScriptReader {
  readonly #begun = new Map<string, number>();
  readonly #found = new Map<
    string,
    { readonly words: readonly string[]; readonly latencyMs: number | null }
  >();
  #isDone = false;

  /** Notes a line. Each begins with when it was written. */
  note(line: string): void {
    const [stamp = '', kind = '', number = '', ...rest] = line.trim().split(' ');
    if (stamp === 'end') this.#isDone = true;
    else if (kind === 'D') this.#begun.set(`d ${number}`, timeOf(stamp));
    else if (kind === 'T') this.#begun.set(`t ${number} ${rest[0]}`, timeOf(stamp));
    else if (kind === 'd' || kind === 't') {
      const key = kind === 'd' ? `d ${number}` : `t ${number} ${rest.shift()}`;
      const took = timeOf(stamp) - (this.#begun.get(key) ?? Number.NaN);
      this.#found.set(key, {
        words: rest,
        latencyMs: Number.isNaN(took) ? null : Math.round(took * 10) / 10,
      });
    }
  }

  /** What was found; nothing when the script did not get to its end. */
  seen(attempts: readonly Attempt[]): Seen[] | undefined {
    if (!this.#isDone) return undefined;
    return attempts.map(({ ports }, number) => {
      const { words: [answer, address] = [], latencyMs = null } = this.#found.get(`d ${number}`) ?? {};
      const status = answer === 'yes' ? 'resolved' : answer === 'no' ? 'not-found' : 'unclear';
      const addresses = address === undefined ? [] : [address];
      return {
        name: { status, latencyMs, addresses },
        ports: ports.map((port): PortSeen => {
          const { words: [state = '?'] = [], latencyMs: took = null } =
            this.#found.get(`t ${number} ${port}`) ?? {};
          return { port, status: state === '?' ? 'unclear' : (state as PortSeen['status']), latencyMs: took };
        }),
      };
    });
  }
}

/** Milliseconds: a fine clock gives nanoseconds since the epoch, a coarse one seconds since the start of the machine. */
function timeOf(stamp: string): number {
  return stamp.includes('.') ? Number(stamp) * 1_000 : Number(stamp) / 1_000_000;
}
