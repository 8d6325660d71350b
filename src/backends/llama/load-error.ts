// Says in plain words why a model did not load, from what the file looks like and what llama.cpp wrote.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { ToolError } from '../../core/errors.ts';

/** Cheap checks before an engine is started. @throws ToolError `not-found` or `integrity` */
export function checkModelFile(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw new ToolError('not-found', `no model file at ${path}`);
  if (!facts.isFile()) throw new ToolError('not-found', `${path} is not a file`, { hint: 'name the .gguf file itself' });
  const head = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1') !== 'GGUF') {
    throw new ToolError('integrity', `${path} is not a GGUF file (it begins with ${JSON.stringify(head.toString('latin1'))})`, {
      hint: 'a web page or a Git LFS pointer saved under this name looks like this: download the file again',
    });
  }
}

interface Explanation {
  readonly pattern: RegExp;
  readonly code: 'integrity' | 'memory' | 'unsupported';
  readonly message: string;
  readonly hint: string;
}

const explanations: readonly Explanation[] = [
  {
    pattern: /not within the file bounds|failed to read|unexpectedly reached end|corrupted or incomplete/iu,
    code: 'integrity',
    message: 'the file is truncated or corrupt',
    hint: 'download it again and check its sha256',
  },
  {
    pattern: /missing tensor|tensor '[^']*' not found|wrong number of tensors|no tensors|without tensors/iu,
    code: 'integrity',
    message: 'the file lacks weights (a vocabulary-only or incomplete GGUF)',
    hint: 'use a GGUF with weights; split models need all their parts in one folder',
  },
  {
    pattern: /unknown model architecture|unknown pre-tokenizer|unsupported model architecture/iu,
    code: 'unsupported',
    message: 'this llama.cpp build does not know the architecture or tokenizer of the model',
    hint: 'use a newer llama.cpp build (SLMBENCH_LLAMA_LIB), or another conversion of the model',
  },
  {
    pattern: /failed to allocate|unable to allocate|out of memory|cannot allocate memory/iu,
    code: 'memory',
    message: 'there is not enough memory for this model',
    hint: 'lower --context, use a smaller model or quantisation, or close other programs',
  },
];

/** A ToolError with the reason found in the log, or the error as it was. */
export function explainLoadError(error: unknown, path: string, log: readonly string[]): unknown {
  if (!ToolError.isInstance(error) || !['integrity', 'backend'].includes(error.code)) return error;
  const text = log.join('\n');
  const found = explanations.find(({ pattern }) => pattern.test(text));
  const cause = new Error(`llama.cpp said:\n${log.slice(-12).join('\n')}`);
  const said = log.findLast((line) => /error|fail/iu.test(line));
  if (found === undefined) return new ToolError(error.code, error.message, { hint: error.hint ?? said, cause });
  return new ToolError(found.code, `cannot load ${path}: ${found.message}`, { hint: found.hint, cause });
}
