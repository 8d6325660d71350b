// Reads answers line by line, as `slmbench extract` does.
import { messageOf, ToolError } from '../core/errors.ts';
import { type ExtractedLine, extractLine } from '../tasks/extraction/extract-line.ts';

/** @throws ToolError `data` that names the line */
export async function* extractLines(lines: AsyncIterable<string>, kind: string): AsyncGenerator<ExtractedLine> {
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
