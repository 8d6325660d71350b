import { expect, test } from 'vitest';
import { builtinModels } from '../../backends/builtin-models.ts';
import { formatBytes } from '../../report/format-values.ts';
import { listModels } from './list-models.ts';

test('the file column holds file sizes alone: known ones plain, estimated ones marked; memory has its own column', () => {
  const { columns, rows } = listModels({ userModels: [] }, false);
  const titles = columns.map((column) => column.title);
  const cell = (name: string, title: string) => rows.find((row) => row[0] === name)![titles.indexOf(title)]!;
  for (const entry of builtinModels) {
    const file = cell(entry.name, 'file');
    if (entry.sizeBytes === undefined) expect(file).toMatch(/^(~|—)/);
    else expect(file).toBe(formatBytes(entry.sizeBytes));
    if (file !== '—') expect(cell(entry.name, 'memory')).toMatch(/^~/);
    if (file !== '—') expect(cell(entry.name, 'memory')).not.toBe(file);
  }
});
