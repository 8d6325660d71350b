// Names of the blocks of an interleaved comparison: `model [block 3]`.

export function blockName(model: string, block: number): string {
  return `${model} [block ${block}]`;
}

/** The model's own name, whatever block it is. */
export function modelOfBlock(name: string): string {
  return name.replace(/ \[block \d+\]$/, '');
}
