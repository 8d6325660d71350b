// Manifests of splits whose rows have been read and counted; made by scripts beside the tests, see test/system/sources-catalogue.test.ts.

/** By `name/split`: sha256 over the ordered row ids. */
export const pinnedManifests: Readonly<Record<string, string>> = {};
