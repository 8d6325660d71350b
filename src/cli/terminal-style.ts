// Bold, dim and width for output on a terminal; plain when piped or when NO_COLOR is set.
export interface OutputStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

function hasColour(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && TERM !== 'dumb';
}

export function outputStyle(stream: NodeJS.WriteStream = process.stdout): OutputStyle {
  const coloured = hasColour(stream);
  // Written by hand: the module that paints costs more to load than a list to print.
  const paint = (on: number) => (text: string) => (coloured ? `\u001b[${on}m${text}\u001b[22m` : text);
  const columns = Number(process.env['COLUMNS']) || stream.columns || (stream.isTTY === true ? 80 : 160);
  return { width: Math.max(40, columns), bold: paint(1), dim: paint(2) };
}
