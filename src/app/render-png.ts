// Turns chart drawings into PNG pictures, with a font of its own: a machine without fonts would draw no words.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import { unpackWoff } from './unpack-woff.ts';

/** Pixels per drawn unit: sharp on screens with a high density and in print. */
const scale = 2;
const faces = ['latin-400', 'latin-700', 'latin-ext-400'];

/** The renderer reads fonts from TrueType files only. */
async function writeFonts(folder: string): Promise<string[]> {
  const { resolve } = createRequire(import.meta.url);
  return Promise.all(
    faces.map(async (face) => {
      const path = join(folder, `${face}.ttf`);
      await writeFile(path, unpackWoff(await readFile(resolve(`@fontsource/inter/files/inter-${face}-normal.woff`))));
      return path;
    }),
  );
}

/** @throws ToolError `unavailable` where the picture library is missing for this platform */
export async function renderPngs(svgs: readonly string[]): Promise<Uint8Array[]> {
  const { Resvg } = await import('@resvg/resvg-js').catch((cause: unknown) => {
    throw new ToolError('unavailable', 'the PNG renderer @resvg/resvg-js is not installed for this platform', {
      cause,
      hint: 'the SVG files of the report hold the same charts',
    });
  });
  const folder = await mkdtemp(join(tmpdir(), 'slmbench-fonts-'));
  try {
    // System fonts stay on for scripts that the font has not.
    const font = { fontFiles: await writeFonts(folder), loadSystemFonts: true, defaultFontFamily: 'Inter' };
    return svgs.map((svg) => new Uint8Array(new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font }).render().asPng()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
