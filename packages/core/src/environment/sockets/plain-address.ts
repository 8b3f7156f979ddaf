/** Stands for every address of this machine. */
export const everywhere = '*';

const wildcards = new Set(['0.0.0.0', '::', everywhere]);
const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * An address in the one form in which it can be compared. All ways to say "every address" are one: whoever binds
 * `0.0.0.0` also minds a stranger on `::1`, because that is where clients that ask for `localhost` end up.
 */
export function plainAddress(ip: string | null): string {
  const bare = (ip ?? everywhere).replace(/^\[|\]$/g, '');
  const plain = bare.includes(':') ? plainVersion6(bare) : bare;
  return wildcards.has(plain) ? everywhere : plain;
}

function plainVersion6(text: string): string {
  // A zone such as `%eth0` names an interface and is nothing that a URL can hold.
  const [address = '', zone] = text.split('%');
  if (!URL.canParse(`http://[${address}]`)) return text;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = mapped.exec(short) ?? [];
  if (high === undefined || low === undefined) return zone === undefined ? short : `${short}%${zone}`;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

/** Whether two plain addresses cannot both be bound with the same port. */
export function addressesMeet(one: string, other: string): boolean {
  return one === everywhere || other === everywhere || one === other;
}
