// Unpacks the data that the page carries.
import type { PageData } from '../page-data.ts';

export async function readData(): Promise<PageData | null> {
  const text = document.getElementById('page-data')?.textContent;
  if (text === null || text === undefined) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as PageData;
}
