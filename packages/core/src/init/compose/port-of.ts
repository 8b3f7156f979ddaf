import { property } from '../../model/property.js';

/** A port in the short form, also when Compose has it in the long one. */
export function portOf(port: unknown): unknown {
  if (typeof port !== 'object' || port === null) return port;
  const [target, published, ip, protocol] = ['target', 'published', 'host_ip', 'protocol'].map((key) =>
    property(port, key),
  );
  const address = typeof ip === 'string' && ip.includes(':') && !ip.startsWith('[') ? `[${ip}]` : ip;
  const parts = [
    ...(address === undefined ? [] : [address]),
    ...(published === undefined ? (address === undefined ? [] : ['']) : [published]),
    target,
  ];
  return `${parts.join(':')}${protocol === undefined || protocol === 'tcp' ? '' : `/${protocol}`}`;
}
