// The C structs of libllama that cross the border, and the check that the loaded build really lays them out so.
import koffi, { type TypeObject } from 'koffi';
import { ToolError } from '../../core/errors.ts';

export interface NativeStructs {
  readonly modelParams: TypeObject;
  readonly contextParams: TypeObject;
  readonly samplerChainParams: TypeObject;
  readonly quantizeParams: TypeObject;
  readonly batch: TypeObject;
  readonly perfContext: TypeObject;
}

/** Declares the structs of llama.h as of the build tagged v0.4.0 (node-llama-cpp 3.21.1). */
export function declareStructs(): NativeStructs {
  return {
    modelParams: koffi.struct({
      devices: 'void *',
      tensor_buft_overrides: 'void *',
      n_gpu_layers: 'int32_t',
      split_mode: 'int32_t',
      load_mode: 'int32_t',
      lazy_mode: 'int32_t',
      main_gpu: 'int32_t',
      tensor_split: 'void *',
      progress_callback: 'void *',
      progress_callback_user_data: 'void *',
      kv_overrides: 'void *',
      vocab_only: 'bool',
      check_tensors: 'bool',
      use_extra_bufts: 'bool',
      no_host: 'bool',
      no_alloc: 'bool',
      load_mtp: 'bool',
    }),
    contextParams: declareContextParams(),
    samplerChainParams: koffi.struct({ no_perf: 'bool' }),
    quantizeParams: koffi.struct({
      nthread: 'int32_t',
      ftype: 'int32_t',
      output_tensor_type: 'int32_t',
      token_embedding_type: 'int32_t',
      allow_requantize: 'bool',
      quantize_output_tensor: 'bool',
      only_copy: 'bool',
      pure: 'bool',
      keep_split: 'bool',
      dry_run: 'bool',
      imatrix: 'void *',
      kv_overrides: 'void *',
      tt_overrides: 'void *',
      prune_layers: 'void *',
      max_buf_size: 'size_t',
    }),
    batch: koffi.struct({
      n_tokens: 'int32_t',
      token: 'void *',
      embd: 'void *',
      pos: 'void *',
      n_seq_id: 'void *',
      seq_id: 'void *',
      logits: 'void *',
    }),
    perfContext: koffi.struct({
      t_start_ms: 'double',
      t_load_ms: 'double',
      t_p_eval_ms: 'double',
      t_eval_ms: 'double',
      n_p_eval: 'int32_t',
      n_eval: 'int32_t',
      n_reused: 'int32_t',
    }),
  };
}

function declareContextParams(): TypeObject {
  return koffi.struct({
    n_ctx: 'uint32_t',
    n_batch: 'uint32_t',
    n_ubatch: 'uint32_t',
    n_seq_max: 'uint32_t',
    n_rs_seq: 'uint32_t',
    n_outputs_max: 'uint32_t',
    n_outputs_max_per_seq: 'uint32_t',
    n_threads: 'int32_t',
    n_threads_batch: 'int32_t',
    ctx_type: 'int32_t',
    rope_scaling_type: 'int32_t',
    pooling_type: 'int32_t',
    attention_type: 'int32_t',
    flash_attn_type: 'int32_t',
    rope_freq_base: 'float',
    rope_freq_scale: 'float',
    yarn_ext_factor: 'float',
    yarn_attn_factor: 'float',
    yarn_beta_fast: 'float',
    yarn_beta_slow: 'float',
    yarn_orig_ctx: 'uint32_t',
    defrag_thold: 'float',
    cb_eval: 'void *',
    cb_eval_user_data: 'void *',
    type_k: 'int32_t',
    type_v: 'int32_t',
    abort_callback: 'void *',
    abort_callback_data: 'void *',
    embeddings: 'bool',
    offload_kqv: 'bool',
    no_perf: 'bool',
    op_offload: 'bool',
    swa_full: 'bool',
    kv_unified: 'bool',
    samplers: 'void *',
    n_samplers: 'size_t',
    ctx_other: 'void *',
  });
}

type ParameterValues = Readonly<Record<string, unknown>>;

/** Values that llama.cpp's own default-parameter functions return in the build this binding is written for. */
export const expectedDefaults = {
  llama_model_default_params: {
    devices: null,
    tensor_buft_overrides: null,
    n_gpu_layers: -1,
    split_mode: 1,
    load_mode: -1,
    lazy_mode: 1,
    main_gpu: 0,
    kv_overrides: null,
    vocab_only: false,
    check_tensors: false,
    use_extra_bufts: true,
    no_host: false,
    no_alloc: false,
    load_mtp: false,
  },
  llama_context_default_params: {
    n_ctx: 512,
    n_batch: 2048,
    n_ubatch: 512,
    n_seq_max: 1,
    n_rs_seq: 0,
    n_outputs_max: 0,
    n_outputs_max_per_seq: 1,
    n_threads: 4,
    n_threads_batch: 4,
    ctx_type: 0,
    rope_scaling_type: -1,
    pooling_type: -1,
    attention_type: -1,
    flash_attn_type: -1,
    rope_freq_base: 0,
    yarn_ext_factor: -1,
    yarn_beta_slow: -1,
    yarn_orig_ctx: 0,
    defrag_thold: -1,
    type_k: 1,
    type_v: 1,
    embeddings: false,
    offload_kqv: true,
    no_perf: true,
    op_offload: true,
    swa_full: true,
    kv_unified: false,
    samplers: null,
    n_samplers: 0,
    ctx_other: null,
  },
  llama_sampler_chain_default_params: { no_perf: true },
  llama_model_quantize_default_params: {
    nthread: 0,
    ftype: 7,
    allow_requantize: false,
    quantize_output_tensor: true,
    only_copy: false,
    pure: false,
    keep_split: false,
    dry_run: false,
    imatrix: null,
    kv_overrides: null,
    tt_overrides: null,
    prune_layers: null,
  },
} as const satisfies Record<string, ParameterValues>;

/**
 * Refuses a build whose structs are laid out otherwise: calling on would write numbers into the wrong fields.
 * @throws ToolError `unsupported` naming the first fields that differ
 */
export function checkLayout(functionName: keyof typeof expectedDefaults, actual: ParameterValues, version: string): void {
  const expected: ParameterValues = expectedDefaults[functionName];
  const wrong = Object.keys(expected).filter((field) => !equalValue(actual[field], expected[field]));
  if (wrong.length === 0) return;
  const shown = wrong
    .slice(0, 4)
    .map((field) => `${field} = ${String(actual[field])}, expected ${String(expected[field])}`)
    .join('; ');
  throw new ToolError('unsupported', `this llama.cpp build (${version}) has an unknown parameter layout: ${functionName}: ${shown}`, {
    hint: 'use the libraries of @node-llama-cpp 3.21.1 (unset SLMBENCH_LLAMA_LIB), or a build of the same llama.cpp release',
  });
}

function equalValue(actual: unknown, expected: unknown): boolean {
  return typeof actual === 'bigint' ? Number(actual) === expected : actual === expected;
}
