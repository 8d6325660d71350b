// An Ollama Modelfile for a model file, or for a base with an adapter.
export interface ModelfileInput {
  /** Path of the GGUF model, as Ollama will see it. */
  readonly model: string;
  /** Path of a GGUF adapter. */
  readonly adapter?: string | undefined;
  readonly system?: string | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly contextTokens?: number | undefined;
  /** Longest answer, as in the held-out test. */
  readonly maxTokens?: number | undefined;
  /** Comment lines at the top. */
  readonly notes?: readonly string[] | undefined;
}

/** Text of the Modelfile. The chat template is the one in the GGUF; greedy decoding, as in the test. */
export function ollamaModelfile(input: ModelfileInput): string {
  const lines = [
    ...(input.notes ?? []).flatMap((note) => note.split(/\r?\n/u).map((line) => `# ${line}`)),
    `FROM ${input.model}`,
    ...(input.adapter === undefined ? [] : [`ADAPTER ${input.adapter}`]),
    'PARAMETER temperature 0',
    ...(input.contextTokens === undefined ? [] : [`PARAMETER num_ctx ${input.contextTokens}`]),
    ...(input.maxTokens === undefined ? [] : [`PARAMETER num_predict ${input.maxTokens}`]),
    ...(input.stop ?? []).map((stop) => `PARAMETER stop ${JSON.stringify(stop)}`),
    ...(input.system === undefined ? [] : [`SYSTEM ${quoted(input.system)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Three quotes hold any text but three quotes. */
function quoted(text: string): string {
  return `"""${text.replaceAll('"""', '"" "')}"""`;
}
