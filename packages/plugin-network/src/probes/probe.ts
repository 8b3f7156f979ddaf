/** What is tried from one place: a name, and ports of whoever it stands for. */
export interface Attempt {
  readonly host: string;
  readonly ports: readonly number[];
  /** A proxy stands between, as the one that publishes the ports of containers: that it accepts proves nothing. */
  readonly relayed?: boolean;
}

/** What came of looking a name up. `unclear`: whoever was asked gave no answer, or there was nobody to ask. */
export interface NameSeen {
  readonly status: 'resolved' | 'not-found' | 'unclear';
  /** Milliseconds, where it could be measured. */
  readonly latencyMs: number | null;
  readonly addresses: readonly string[];
}

/** What came of a connection to a port. */
export interface PortSeen {
  readonly port: number;
  readonly status: 'open' | 'refused' | 'timed-out' | 'no-route' | 'unclear';
  readonly latencyMs: number | null;
}

/** What came of an attempt. */
export interface Seen {
  readonly name: NameSeen;
  readonly ports: readonly PortSeen[];
}

/** Tries from one place, all at once; one result for each attempt. Nothing when it cannot look from there. */
export type Probe = (attempts: readonly Attempt[], signal: AbortSignal) => Promise<Seen[] | undefined>;

/** Whether an attempt succeeded in every way, so that nobody needs to look again. */
export function isFine({ name, ports }: Seen): boolean {
  return name.status !== 'not-found' && ports.length > 0 && ports.every(({ status }) => status === 'open');
}

/** The better of two looks at the same: what one of them has seen open is open. */
export function combined(one: Seen, other: Seen): Seen {
  const better = <Part extends { readonly status: string }>(first: Part, second: Part): Part => {
    const isGood = second.status === 'open' || second.status === 'resolved';
    return isGood || first.status === 'unclear' ? second : first;
  };
  return {
    name: better(one.name, other.name),
    ports: one.ports.map((port) => {
      const again = other.ports.find((each) => each.port === port.port);
      return again === undefined ? port : better(port, again);
    }),
  };
}
