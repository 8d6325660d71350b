// Chooses the file of a hub repository that a reference means, and remembers the choice for offline runs.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import type { FileSource, ModelReference } from '../core/model.ts';
import { nearestName } from '../core/names.ts';
import { splitFileNames } from '../formats/gguf-facts.ts';
import type { HubListing, HubRepository } from '../sources/hf/hub-api.ts';
import type { SourceContext } from '../sources/source-context.ts';
import { writeFileAtomic } from '../sources/write-file-atomic.ts';

export type ListHubFiles = (repository: HubRepository, context: SourceContext) => Promise<HubListing>;
type HubModelReference = Extract<ModelReference, { kind: 'hf' }>;

/** Taken when a reference names no quantisation, in this order. */
const preferred = ['Q4_K_M', 'Q4_0', 'Q8_0', 'F16'];
const quantisationToken = /(?:^|[-._])((?:I?Q\d+_\w+|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32|FP16|UD-\w+))(?=[-.]|$)/iu;

/**
 * Sources of the file (all parts of a split one, in order).
 * @throws ToolError `not-found` (no such quantisation: lists what there is), and what the hub says
 */
export async function hubModelSources(
  reference: HubModelReference,
  list: ListHubFiles,
  context: SourceContext,
): Promise<readonly FileSource[]> {
  const { repository, revision, file } = reference;
  const toSource = (path: string, at: string | undefined) => ({
    reference: `hf:${repository}${at === undefined ? '' : `@${encodeURIComponent(at)}`}/${path}`,
  });
  if (file !== undefined) return splitPaths(file).map((path) => toSource(path, revision));
  const note = join(context.cacheDirectory, 'hub-choices', `${sha256Hex(JSON.stringify(reference)).slice(0, 20)}.json`);
  if (context.offline) return readChoice(note, reference);
  const listing = await list({ repositoryKind: 'models', repository, revision: revision ?? 'main' }, context);
  const chosen = chooseFile(
    listing.files.map((entry) => entry.path),
    reference,
  );
  const sources = splitPaths(chosen).map((path) => toSource(path, listing.commit));
  await mkdir(join(context.cacheDirectory, 'hub-choices'), { recursive: true });
  await writeFileAtomic(note, `${JSON.stringify(sources)}\n`);
  return sources;
}

/** The file of a repository that has the wanted quantisation; the first part where it is split. */
export function chooseFile(paths: readonly string[], reference: HubModelReference): string {
  const models = paths
    .filter((path) => /\.gguf$/iu.test(path) && !/mmproj|imatrix/iu.test(path))
    .filter((path) => splitPaths(path)[0] === path)
    .sort();
  if (models.length === 0) {
    throw new ToolError('not-found', `hf:${reference.repository} holds no GGUF file`, {
      hint: 'look for a repository whose name ends in -GGUF, or use transformers: for the original weights',
    });
  }
  const byToken = new Map<string, string>();
  for (const path of models) {
    const token = quantisationToken
      .exec(
        path
          .split('/')
          .at(-1)!
          .replace(/-\d{5}-of-\d{5}/u, ''),
      )?.[1]
      ?.toUpperCase();
    if (token !== undefined && !byToken.has(token)) byToken.set(token, path);
  }
  const wanted = reference.quantisation?.toUpperCase();
  if (wanted === undefined) {
    const token = preferred.find((candidate) => byToken.has(candidate));
    if (token !== undefined) return byToken.get(token)!;
    if (models.length === 1) return models[0]!;
  } else {
    const path = byToken.get(wanted);
    if (path !== undefined) return path;
  }
  const known = [...byToken.keys()];
  const nearest = wanted === undefined ? undefined : nearestName(wanted, known);
  throw new ToolError(
    'not-found',
    wanted === undefined ? `hf:${reference.repository} holds several models` : `hf:${reference.repository} has no ${wanted} file`,
    {
      hint: `${nearest === undefined ? '' : `did you mean "${nearest}"? `}it has: ${known.length === 0 ? models.join(', ') : known.join(', ')}`,
    },
  );
}

async function readChoice(note: string, reference: HubModelReference): Promise<readonly FileSource[]> {
  try {
    return JSON.parse(await readFile(note, 'utf8')) as FileSource[];
  } catch (cause) {
    throw new ToolError('unavailable', `which file hf:${reference.repository} means is not known offline`, {
      hint: 'run once without --offline, or name the file: hf:owner/repo/file.gguf',
      cause,
    });
  }
}

function splitPaths(path: string): readonly string[] {
  const slash = path.lastIndexOf('/') + 1;
  return splitFileNames(path.slice(slash)).map((name) => path.slice(0, slash) + name);
}
