/** What a port is of. The two protocols have ports of their own. */
export type Protocol = 'tcp' | 'udp';

/** A port as it is written in keys and messages: `tcp/3000`. */
export type PortKey = `${Protocol}/${number}`;

/** The key of a port. */
export function portKey({ protocol, port }: { protocol: Protocol; port: number }): PortKey {
  return `${protocol}/${port}`;
}
