import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '../../scripts/steps/zip.mjs';

/** Reads an archive back as others do: from the list at its end. */
function read(archive: Buffer): { name: string; text: string; mode: number }[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [packed, length] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26);
    const text = inflateRawSync(archive.subarray(begin, begin + packed)).toString();
    const mode = (archive.readUInt32LE(at + 38) >>> 16) & 0o777;
    at += 46 + length;
    return { name, text, mode };
  });
}

describe('a zip archive', () => {
  it('holds its files, their names and whether they can be run', () => {
    const archive = zip([
      { name: 'manifest.json', data: Buffer.from('{}') },
      { name: 'server/größe.js', data: Buffer.from('run me '.repeat(1_000)), executable: true },
    ]);
    expect(read(archive)).toEqual([
      { name: 'manifest.json', text: '{}', mode: 0o644 },
      { name: 'server/größe.js', text: 'run me '.repeat(1_000), mode: 0o755 },
    ]);
  });
});
