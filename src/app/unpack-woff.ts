// Unpacks a WOFF 1 font (W3C WOFF File Format 1.0, section 4) to the TrueType tables inside it, which the PNG renderer reads.
import { unzlibSync } from 'fflate';

const headerBytes = 44;
const entryBytes = 20;

interface FontTable {
  readonly tag: number;
  readonly checksum: number;
  readonly data: Uint8Array;
}

function readTables(woff: Uint8Array, view: DataView): FontTable[] {
  return Array.from({ length: view.getUint16(12) }, (_, index) => {
    const at = headerBytes + index * entryBytes;
    const [offset, packed, length] = [view.getUint32(at + 4), view.getUint32(at + 8), view.getUint32(at + 12)];
    const bytes = woff.subarray(offset, offset + packed);
    const data = packed < length ? unzlibSync(bytes, { out: new Uint8Array(length) }) : bytes;
    return { tag: view.getUint32(at), checksum: view.getUint32(at + 16), data };
  });
}

/** @throws RangeError for bytes that are no WOFF 1 font */
export function unpackWoff(woff: Uint8Array): Uint8Array {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  if (view.getUint32(0) !== 0x774f4646) throw new RangeError('not a WOFF font');
  const tables = readTables(woff, view);
  const padded = (length: number): number => (length + 3) & ~3;
  const directoryBytes = 12 + tables.length * 16;
  const font = new Uint8Array(directoryBytes + tables.reduce((sum, { data }) => sum + padded(data.length), 0));
  const out = new DataView(font.buffer);
  const power = Math.floor(Math.log2(tables.length));
  out.setUint32(0, view.getUint32(4));
  out.setUint16(4, tables.length);
  out.setUint16(6, 2 ** power * 16);
  out.setUint16(8, power);
  out.setUint16(10, tables.length * 16 - 2 ** power * 16);
  let offset = directoryBytes;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + index * 16;
    out.setUint32(at, tag);
    out.setUint32(at + 4, checksum);
    out.setUint32(at + 8, offset);
    out.setUint32(at + 12, data.length);
    font.set(data, offset);
    offset += padded(data.length);
  }
  return font;
}
