/** All ways to say "every address of this machine". */
const everywhere = new Set(['', '0.0.0.0', '::', '*']);

/** An address without the brackets that IPv6 has in URLs and port mappings. */
export function bareAddress(ip: string): string {
  return ip.replace(/^\[|\]$/g, '');
}

/** The address at which this machine itself reaches what is published on an address, as it is written in a URL. */
export function reachableAt(ip: string | null): string {
  const bare = bareAddress(ip ?? '');
  // A server may listen on either of the addresses that this name stands for.
  if (everywhere.has(bare)) return 'localhost';
  return bare.includes(':') ? `[${bare}]` : bare;
}

/** `localhost:8080`, `[::1]:8080`: where this machine itself reaches a published port. */
export function hostAndPort(ip: string | null, port: number): string {
  return `${reachableAt(ip)}:${port}`;
}
