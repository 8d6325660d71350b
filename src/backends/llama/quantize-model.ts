// Writes a GGUF model in another quantisation, in a process of its own (the libraries need much memory and may crash).
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { startEngineProcess } from './engine-process.ts';
import { locateLibrary } from './library-location.ts';
import { checkModelFile, explainLoadError } from './load-error.ts';
import { defaultThreads } from './physical-cores.ts';

/** Names of quantisations and the numbers that llama.cpp gives them (`llama_ftype`). */
export const quantisationTypes: Readonly<Record<string, number>> = {
  F32: 0,
  F16: 1,
  BF16: 32,
  Q8_0: 7,
  Q6_K: 18,
  Q5_K_M: 17,
  Q5_K_S: 16,
  Q5_1: 9,
  Q5_0: 8,
  Q4_K_M: 15,
  Q4_K_S: 14,
  Q4_1: 3,
  Q4_0: 2,
  IQ4_NL: 25,
  IQ4_XS: 30,
  Q3_K_L: 13,
  Q3_K_M: 12,
  Q3_K_S: 11,
  Q2_K: 10,
};

export interface QuantizeOptions {
  readonly threads?: number | undefined;
  /** Quantise again what is quantised already; loses more than starting from F16. @default false */
  readonly allowRequantize?: boolean | undefined;
}

/**
 * Writes `input` as `output` in the quantisation `type`. The output appears only when it is complete.
 * @throws ToolError `usage` for an unknown type, `not-found`, `integrity`, `storage` or `backend`
 */
export async function quantizeModel(
  input: string,
  output: string,
  type: string,
  options: QuantizeOptions = {},
): Promise<{ readonly sizeBytes: number }> {
  const fileType = quantisationTypes[type.toUpperCase()];
  if (fileType === undefined) {
    throw new ToolError('usage', `unknown quantisation "${type}"`, {
      hint: suggestName(type.toUpperCase(), Object.keys(quantisationTypes)),
    });
  }
  const [from, to] = [resolve(input), resolve(output)];
  checkModelFile(from);
  if (from === to) throw new ToolError('usage', 'the output must be another file than the input');
  const partial = `${to}.partial`;
  const engine = startEngineProcess();
  try {
    await engine.call({
      kind: 'quantize',
      location: locateLibrary(),
      input: from,
      output: partial,
      fileType,
      threads: options.threads ?? defaultThreads(),
      allowRequantize: options.allowRequantize ?? false,
    });
    renameSync(partial, to);
  } catch (error) {
    throw explainQuantizeError(error, input, engine.logLines());
  } finally {
    if (existsSync(partial)) rmSync(partial);
    await engine.close();
  }
  return { sizeBytes: statSync(to).size };
}

function explainQuantizeError(error: unknown, input: string, log: readonly string[]): unknown {
  const text = log.join('\n');
  if (/requantizing from type .* is disabled/iu.test(text)) {
    return new ToolError('unsupported', `${input} is quantised already`, {
      hint: 'start from the F16 or F32 file, or allow requantisation and accept the loss',
      cause: error,
    });
  }
  if (/no space left|failed to open|cannot open|failed to write/iu.test(text)) {
    return new ToolError('storage', `cannot write the quantised file: ${log.at(-1) ?? ''}`, { cause: error });
  }
  return explainLoadError(error, input, log);
}
