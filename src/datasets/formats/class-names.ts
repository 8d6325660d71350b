// Names of integer class labels out of the `huggingface` metadata that Parquet and Arrow files of the hub carry.

interface Feature {
  readonly _type?: string;
  readonly names?: unknown;
}

/** Names by column; empty when the metadata is missing or of another shape. */
export function classNamesOfMetadata(metadata: string | undefined | null): Record<string, readonly string[]> {
  if (metadata === undefined || metadata === null) return {};
  try {
    const features = (JSON.parse(metadata) as { info?: { features?: Record<string, Feature> } }).info?.features ?? {};
    const named = Object.entries(features).filter(
      ([, feature]) =>
        feature?._type === 'ClassLabel' && Array.isArray(feature.names) && feature.names.every((name) => typeof name === 'string'),
    );
    return Object.fromEntries(named.map(([column, feature]) => [column, feature.names as string[]]));
  } catch {
    return {};
  }
}
