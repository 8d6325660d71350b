// Rows of plain text: one row a line, or one label a line behind a separator (`sentence@label`).
import { ToolError } from '../../core/errors.ts';
import type { ReadOptions, SourceRow } from './source-row.ts';
import { readLines } from './text-lines.ts';

/** One row `{ text }` a line that is not empty. */
export async function* readTextRows(path: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  for await (const { number, text } of readLines(path, options)) if (text.trim() !== '') yield { fields: { text }, line: number };
}

/**
 * One row `{ sentence, label }` a line, split at the last separator (the form of Financial PhraseBank: `sentence@label`, latin-1).
 * @throws ToolError `data` naming a line without a label
 */
export async function* readLabelledLines(path: string, options: ReadOptions, separator = '@'): AsyncGenerator<SourceRow> {
  for await (const { number, text } of readLines(path, { ...options, encoding: options.encoding ?? 'latin1' })) {
    if (text.trim() === '') continue;
    const cut = text.lastIndexOf(separator);
    const sentence = text.slice(0, Math.max(cut, 0)).trim();
    const label = text.slice(cut + 1).trim();
    if (cut >= 0 && sentence !== '' && label !== '') {
      yield { fields: { sentence, label }, line: number };
      continue;
    }
    const message = `${path}:${number}: line ${number} has no label: expected sentence${separator}label, found ${JSON.stringify(text.slice(0, 40))}`;
    if (options.skipBadRows !== true) {
      throw new ToolError('data', message, {
        location: { file: path, line: number },
        hint: 'repair the line, or ask for bad rows to be skipped',
      });
    }
    options.notes.notes.push(`dropped: ${message}`);
  }
}
