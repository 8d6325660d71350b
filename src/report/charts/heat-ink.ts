// The colour of a number on a cell of a heat map: the one of two that can be read better there.
import type { ChartTheme } from './chart-theme.ts';

const onDark = '#ffffff';
const onLight = '#101820';

type Rgb = readonly [number, number, number];

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Relative luminance (WCAG 2.2). */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** @param depth - 0 to 1, place of the cell on the scale of `theme.heat` */
export function inkOnHeat(depth: number, { heat }: ChartTheme): string {
  const at = Math.min(1, Math.max(0, depth)) * (heat.length - 1);
  const low = Math.min(heat.length - 2, Math.floor(at));
  const [from, to] = [rgbOf(heat[low]!), rgbOf(heat[low + 1]!)];
  const ground = luminance(from.map((channel, index) => channel + (to[index]! - channel) * (at - low)) as unknown as Rgb);
  return contrast(luminance(rgbOf(onDark)), ground) >= contrast(luminance(rgbOf(onLight)), ground) ? onDark : onLight;
}
