// The comparison of exports as it was stored, for the record.
import { join } from 'node:path';
import { type ExportVariant, exportVariantSchema } from '../../core/specialise-record.ts';
import type { Layout } from './layout.ts';
import type { StageFile } from './stage.ts';

export function exportResultFile({ results }: Pick<Layout, 'results'>): string {
  return join(results, 'export-result.json');
}

/** Rows of a comparison that was made of this adapter on these rows; none for an older one. */
export function comparedBefore(file: StageFile | null, adapterDigest: string | null, dataDigest: string): readonly ExportVariant[] {
  if (file === null || file.inputs['adapter'] !== adapterDigest || file.inputs['data'] !== dataDigest) return [];
  return (file.result as unknown as { variants: readonly unknown[] }).variants.map((one) => exportVariantSchema.parse(one));
}
