// Turns chart drawings into PNG pictures.
import { ToolError } from '../core/errors.ts';

/** Pixels per drawn unit: sharp on screens with a high density and in print. */
const scale = 2;

/** @throws ToolError `unavailable` where the picture library is missing for this platform */
export async function loadPngRenderer(): Promise<(svg: string) => Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js').catch((cause: unknown) => {
    throw new ToolError('unavailable', 'the PNG renderer @resvg/resvg-js is not installed for this platform', {
      cause,
      hint: 'the SVG files of the report hold the same charts',
    });
  });
  const font = { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' };
  return (svg) => new Uint8Array(new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font }).render().asPng());
}
