// Data inside a page: compressed and in base64, so that no text from a model can end a script or start one.
import { gzipSync } from 'fflate';

const chunk = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text);
}

/** JSON, gzip, base64. NaN and Infinity are refused where they would silently become null. */
export function embedData(value: unknown): string {
  const json = JSON.stringify(value, (key, item) => {
    if (typeof item === 'number' && !Number.isFinite(item)) throw new TypeError(`embedData: ${key} is ${item}`);
    return item;
  });
  return toBase64(gzipSync(new TextEncoder().encode(json), { level: 6, mtime: 0 }));
}
