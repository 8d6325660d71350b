// Decodes LZ4 frames (LZ4 Frame Format 1.6), the default compression of Feather files.
const magic = 0x184d2204;
const minMatch = 4;

/**
 * The content of one frame. Blocks may refer to earlier ones, so all are written into one buffer; checksums are not read.
 * @throws Error for bytes that are no frame or are cut off
 */
export function decodeLz4Frame(input: Uint8Array): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== magic) throw new Error('no LZ4 frame');
  const flags = input[4]!;
  const hasBlockChecksum = (flags & 0x10) !== 0;
  const maxBlockBytes = 1 << (8 + 2 * ((input[5]! >> 4) & 7));
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0);
  let output = new Uint8Array(0);
  let length = 0;
  for (;;) {
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) return output.subarray(0, length);
    const bytes = word & 0x7fffffff;
    if (at + bytes > input.length) throw new Error('the LZ4 frame is cut off');
    if (length + maxBlockBytes > output.length) output = grown(output, length, length + maxBlockBytes);
    const block = input.subarray(at, at + bytes);
    if (word >>> 31 === 1) {
      output.set(block, length);
      length += bytes;
    } else length = decodeBlock(block, output, length);
    at += bytes + (hasBlockChecksum ? 4 : 0);
  }
}

function grown(old: Uint8Array, length: number, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, 2 * old.length));
  larger.set(old.subarray(0, length));
  return larger;
}

/** Writes a block behind what stands in the output already. Returns the new end. */
function decodeBlock(input: Uint8Array, output: Uint8Array, start: number): number {
  let [at, end] = [0, start];
  const extended = (length: number): number => {
    if (length !== 15) return length;
    let total = length;
    for (let more = 255; more === 255; total += more) {
      if (at >= input.length) throw new Error('an LZ4 block is cut off');
      more = input[at++]!;
    }
    return total;
  };
  while (at < input.length) {
    const token = input[at++]!;
    const literals = extended(token >> 4);
    if (at + literals > input.length || end + literals > output.length) throw new Error('an LZ4 block is damaged');
    output.set(input.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    if (at >= input.length) break;
    const offset = input[at]! | (input[at + 1]! << 8);
    at += 2;
    const match = extended(token & 15) + minMatch;
    if (offset === 0 || offset > end || end + match > output.length) throw new Error('an LZ4 block is damaged');
    // Source and target may overlap: bytes just written are repeated.
    for (const stop = end + match; end < stop; end++) output[end] = output[end - offset]!;
  }
  return end;
}
