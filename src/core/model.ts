// What is known of a model: the registry's entry, and the facts read from the file or server that really ran.
import { z } from 'zod';

/** Where a file comes from, tried in order. */
export const fileSourceSchema = z.strictObject({
  /** `file:path`, `hf:owner/repo@revision/path`, `https://...`, `pypi:package==version!/path/in/wheel`, `builtin:name`. */
  reference: z.string(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  sizeBytes: z.number().int().positive().optional(),
});
export type FileSource = z.infer<typeof fileSourceSchema>;

export const modelEntrySchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  provider: z.string(),
  /** As people write it: `135M`, `3.8B`. */
  parameters: z.string(),
  quantisation: z.string(),
  contextLength: z.number().int().positive(),
  licence: z.string(),
  /** Licence page of a gated repository. */
  licenceUrl: z.string().optional(),
  gated: z.boolean().default(false),
  sources: z.array(fileSourceSchema),
  ollamaTag: z.string().optional(),
  /** Size of the file, bytes, as far as known before download. */
  sizeBytes: z.number().int().positive().optional(),
  instruct: z.boolean().default(true),
  strengths: z.string().optional(),
  weaknesses: z.string().optional(),
  bestUse: z.string().optional(),
  aliases: z.array(z.string()).default([]),
});
export type ModelEntry = z.infer<typeof modelEntrySchema>;

/** What `-m` accepts, after parsing. */
export type ModelReference =
  | { readonly kind: 'registry'; readonly name: string; readonly variant?: string | undefined }
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'hf';
      readonly repository: string;
      readonly revision?: string | undefined;
      readonly file?: string | undefined;
      readonly quantisation?: string | undefined;
    }
  | { readonly kind: 'ollama'; readonly tag: string; readonly url?: string | undefined }
  | { readonly kind: 'openai'; readonly model: string; readonly url: string }
  | { readonly kind: 'transformers'; readonly path: string }
  | { readonly kind: 'scripted'; readonly path: string };

export const adapterFactsSchema = z.strictObject({
  path: z.string(),
  digest: z.string(),
  scale: z.number(),
  sizeBytes: z.number().int(),
});

/** Facts of the model that really answered, read from the file or server, never from the name. */
export const modelFactsSchema = z.strictObject({
  /** sha256 of the model content (of all split files), or the server's digest. */
  digest: z.string().nullable(),
  digestKind: z.enum(['sha256', 'server', 'script', 'none']),
  /** Base name of the file or model id at the server; never a path with user names. */
  file: z.string().nullable(),
  architecture: z.string().nullable(),
  parameters: z.number().nullable(),
  quantisation: z.string().nullable(),
  bitsPerWeight: z.number().nullable(),
  sizeBytes: z.number().nullable(),
  trainedContext: z.number().nullable(),
  vocabularySize: z.number().nullable(),
  hasChatTemplate: z.boolean().nullable(),
  chatTemplateDigest: z.string().nullable(),
  adapters: z.array(adapterFactsSchema),
  licence: z.string().nullable(),
  revision: z.string().nullable(),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

/** Nothing is known yet: what a server, a script or a folder starts from. */
export const unknownModelFacts: ModelFacts = {
  digest: null,
  digestKind: 'none',
  file: null,
  architecture: null,
  parameters: null,
  quantisation: null,
  bitsPerWeight: null,
  sizeBytes: null,
  trainedContext: null,
  vocabularySize: null,
  hasChatTemplate: null,
  chatTemplateDigest: null,
  adapters: [],
  licence: null,
  revision: null,
};
