// Reads answers line by line, as `slmbench extract` does.
import { messageOf, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { type ExtractedLine, extractLine } from '../tasks/extraction/extract-line.ts';
import { extractionKinds } from '../tasks/extraction/extraction.ts';

/** @throws ToolError `data` that names the line, `usage` for an unknown kind before a line is read */
export async function* extractLines(lines: AsyncIterable<string>, kind: string): AsyncGenerator<ExtractedLine> {
  if (!(extractionKinds as readonly string[]).includes(kind))
    throw new ToolError('usage', `unknown kind "${kind}"`, { hint: suggestName(kind, extractionKinds) });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (cause) {
      throw new ToolError('data', `line ${number} is not JSON: ${messageOf(cause)}`, {
        cause,
        hint: 'expected {"output": "...", "options": [...]}',
      });
    }
    try {
      yield extractLine(parsed, { kind });
    } catch (thrown) {
      if (ToolError.isInstance(thrown) && thrown.code === 'data')
        throw new ToolError('data', `line ${number}: ${thrown.message}`, { hint: thrown.hint });
      throw thrown;
    }
  }
}
