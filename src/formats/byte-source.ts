// Random access to bytes: the port through which pure format readers see a file, a buffer or a remote range.

export interface ByteSource {
  /** Total length, bytes. */
  readonly sizeBytes: number;
  /** At most `length` bytes from `offset`; fewer only at the end. */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

/** A byte source over bytes in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return { sizeBytes: bytes.byteLength, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}
