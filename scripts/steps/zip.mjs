import { crc32, deflateRawSync } from 'node:zlib';

/**
 * A file in an archive.
 * @typedef {object} ZipEntry
 * @property {string} name Its path, with slashes.
 * @property {Buffer} data
 * @property {boolean} [executable]
 */

/**
 * Makes a zip archive. The same files give the same bytes: no times are kept.
 * @param {readonly ZipEntry[]} entries
 * @returns {Buffer}
 */
export function zip(entries) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data, executable = false } of entries) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    // The name is UTF-8, the method is deflate, and the day is the first that there can be.
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crcOf(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([signature(0x04034b50), common, path, packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(((0o100000 | (executable ? 0o755 : 0o644)) << 16) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    // Made on Unix, so that the mode counts.
    directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 3]), common, central, path]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, signature(0x06054b50), end]);
}

/** @param {number} value */
function signature(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** @param {Buffer} data */
function crcOf(data) {
  // Node has it from 20.15 on; its types do not say so.
  return /** @type {(data: Buffer) => number} */ (/** @type {unknown} */ (crc32))(data);
}
