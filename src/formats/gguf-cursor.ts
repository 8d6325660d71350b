// Reads little-endian values one after another from a byte source, in large chunks, never past the end.
import { ToolError } from '../core/errors.ts';
import type { ByteSource } from './byte-source.ts';
import type { GgufValueType } from './gguf-types.ts';

const chunkBytes = 1 << 20;

export class GgufCursor {
  readonly #source: ByteSource;
  readonly #title: string;
  #chunk: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** File offset of the chunk's first byte. */
  #base = 0;
  /** Position inside the chunk. */
  #at = 0;

  constructor(source: ByteSource, title: string) {
    this.#source = source;
    this.#title = title;
  }

  get offset(): number {
    return this.#base + this.#at;
  }

  get remaining(): number {
    return this.#source.sizeBytes - this.offset;
  }

  /** Bytes that can be read without waiting. */
  get buffered(): number {
    return this.#chunk.byteLength - this.#at;
  }

  fail(message: string): ToolError {
    return new ToolError('integrity', `${this.#title}: ${message} (at byte ${this.offset})`, {
      hint: 'the file is damaged or cut off: download it again',
    });
  }

  /** Makes `length` bytes readable by the synchronous calls. `what` names them in the error. */
  async ensure(length: number, what: string): Promise<void> {
    if (length <= this.buffered) return;
    if (!(length <= this.remaining)) throw this.fail(`the file ends inside ${what}: ${length} bytes wanted, ${this.remaining} left`);
    const start = this.offset;
    const wanted = Math.min(Math.max(length, chunkBytes), this.#source.sizeBytes - start);
    const chunk = await this.#source.read(start, wanted);
    if (chunk.byteLength < length) throw this.fail(`the file ends inside ${what}`);
    this.#chunk = chunk;
    this.#view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#base = start;
    this.#at = 0;
  }

  /** Moves on without reading. */
  skip(length: number, what: string): void {
    if (!(length <= this.remaining)) throw this.fail(`the file ends inside ${what}`);
    if (length <= this.buffered) {
      this.#at += length;
      return;
    }
    this.#base = this.offset + length;
    this.#at = 0;
    this.#chunk = new Uint8Array(0);
  }

  u32(): number {
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  /** A 64-bit length or count. */
  size(what: string): number {
    const low = this.#view.getUint32(this.#at, true);
    const high = this.#view.getUint32(this.#at + 4, true);
    const value = high * 2 ** 32 + low;
    if (value > Number.MAX_SAFE_INTEGER) throw this.fail(`${what} is absurd: ${value}`);
    this.#at += 8;
    return value;
  }

  bytes(length: number): Uint8Array {
    const value = this.#chunk.subarray(this.#at, this.#at + length);
    this.#at += length;
    return value;
  }

  /** One fixed-size value; 64-bit integers outside the safe range come as bigint. */
  fixed(type: GgufValueType): number | boolean | bigint {
    const at = this.#at;
    const view = this.#view;
    switch (type) {
      case 'u8':
        this.#at += 1;
        return view.getUint8(at);
      case 'i8':
        this.#at += 1;
        return view.getInt8(at);
      case 'bool':
        this.#at += 1;
        return view.getUint8(at) !== 0;
      case 'u16':
        this.#at += 2;
        return view.getUint16(at, true);
      case 'i16':
        this.#at += 2;
        return view.getInt16(at, true);
      case 'u32':
        return this.u32();
      case 'i32':
        this.#at += 4;
        return view.getInt32(at, true);
      case 'f32':
        this.#at += 4;
        return view.getFloat32(at, true);
      case 'f64':
        this.#at += 8;
        return view.getFloat64(at, true);
      case 'u64':
        this.#at += 8;
        return narrow(view.getBigUint64(at, true));
      case 'i64':
        this.#at += 8;
        return narrow(view.getBigInt64(at, true));
      default:
        throw this.fail(`${type} is not a fixed-size type`);
    }
  }
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
