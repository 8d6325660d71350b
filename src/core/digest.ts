// Content digests (sha256, lower-case hex) that also work in a browser.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './json.ts';

/** sha256 of text (as UTF-8) or bytes, as 64 lower-case hex digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));
}

/** sha256 of the canonical JSON of a value: equal content gives an equal digest whatever the key order. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
