// The suites that ship with the package.
import type { Dataset } from '../core/dataset.ts';
import type { BuiltinSuite } from './catalogue/builtin-suites.ts';
import { loadFiles } from './load-files.ts';
import type { LoadOptions } from './load-options.ts';
import { makeDataset } from './make-dataset.ts';

export async function loadBuiltinDataset(suite: BuiltinSuite, options: LoadOptions): Promise<Dataset> {
  const reference = `builtin:${suite.file}`;
  return makeDataset({
    info: suite.info,
    splitNames: [suite.split],
    provenance: { kind: 'builtin', reference },
    load: async () =>
      await loadFiles(
        { split: suite.split, kind: 'builtin', reference, files: [{ reference }] },
        { ...options, format: 'jsonl', skipBadRows: false },
      ),
  });
}
