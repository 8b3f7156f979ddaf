import { endianness } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainAddress } from './plain-address.js';
import { parseProcNet } from './proc-net.js';

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

function line(local: string, state: string, inode: number): string {
  return `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0`;
}

/** An address as the kernel of this machine writes it. */
function kernelHex(bytes: readonly number[]): string {
  const buffer = Buffer.from(bytes);
  if (endianness() === 'LE') buffer.swap32();
  return buffer.toString('hex').toUpperCase();
}

describe('the table of sockets of the kernel', () => {
  it('shows TCP sockets that listen and none that are only connected', () => {
    const text = [
      header,
      line(`${kernelHex([127, 0, 0, 1])}:0BB8`, '0A', 17),
      line('00000000:0BB9', '01', 18),
      '',
    ];
    expect(parseProcNet(text.join('\n'), 'tcp')).toEqual([
      { protocol: 'tcp', address: '127.0.0.1', port: 3_000, inode: '17' },
    ]);
  });

  it('shows UDP sockets in every state', () => {
    const text = [header, line('00000000:0035', '07', 1), line(`${kernelHex([10, 0, 0, 7])}:C000`, '01', 2)];
    expect(parseProcNet(text.join('\n'), 'udp')).toMatchObject([
      { address: '*', port: 53 },
      { address: '10.0.0.7', port: 49_152 },
    ]);
  });

  it('shows an IPv4 socket of the IPv6 table as what it is', () => {
    const bytes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1];
    expect(parseProcNet(`${header}\n${line(`${kernelHex(bytes)}:0050`, '0A', 3)}`, 'tcp')).toMatchObject([
      { address: '127.0.0.1', port: 80 },
    ]);
  });

  it('is read for every address and port', () => {
    const bytes = fc.oneof(
      fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
      fc.array(fc.nat(255), { minLength: 16, maxLength: 16 }),
    );
    fc.assert(
      fc.property(bytes, fc.nat(65_535), (address, port) => {
        const local = `${kernelHex(address)}:${port.toString(16).padStart(4, '0').toUpperCase()}`;
        const [socket] = parseProcNet(`${header}\n${line(local, '0A', 9)}`, 'tcp');
        const written =
          address.length === 4
            ? address.join('.')
            : Array.from({ length: 8 }, (_, index) =>
                (((address[index * 2] ?? 0) << 8) | (address[index * 2 + 1] ?? 0)).toString(16),
              ).join(':');
        expect(socket).toMatchObject({ protocol: 'tcp', address: plainAddress(written), port, inode: '9' });
      }),
    );
  });

  it('may be empty or cut short', () => {
    expect(parseProcNet('', 'tcp')).toEqual([]);
    expect(parseProcNet(`${header}\n\n   1: `, 'udp')).toEqual([]);
  });
});
