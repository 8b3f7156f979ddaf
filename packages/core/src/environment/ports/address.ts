/** An address without the brackets that IPv6 has in URLs and port mappings. */
export function bareAddress(ip: string): string {
  return ip.replace(/^\[|\]$/g, '');
}

/**
 * The addresses at which this machine itself reaches what is published on an address. Without one nobody knows where it listens, and
 * whoever asks for `localhost` gets to either of two.
 */
export function addressesOf(ip: string | null): readonly string[] {
  const bare = bareAddress(ip ?? '');
  if (bare === '' || bare === '*') return ['127.0.0.1', '::1'];
  if (bare === '0.0.0.0') return ['127.0.0.1'];
  return [bare === '::' ? '::1' : bare];
}

/** The address at which this machine itself reaches what is published on an address, as it is written in a URL. */
export function reachableAt(ip: string | null): string {
  const [first = '', ...more] = addressesOf(ip);
  if (more.length > 0) return 'localhost';
  return first.includes(':') ? `[${first}]` : first;
}

/** `localhost:8080`, `[::1]:8080`: where this machine itself reaches a published port. */
export function hostAndPort(ip: string | null, port: number): string {
  return `${reachableAt(ip)}:${port}`;
}
