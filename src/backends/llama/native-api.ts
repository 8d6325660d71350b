// Loads libllama and declares the functions of its C API that the engine calls. Only engine processes import this file.
import koffi, { type LibraryHandle, type TypeObject } from 'koffi';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { LibraryLocation } from './library-location.ts';
import { checkLayout, declareStructs, expectedDefaults } from './native-structs.ts';

/** An address in native memory; null is the null pointer. */
export type Pointer = bigint | null;

export interface PerfCounts {
  readonly t_p_eval_ms: number;
  readonly t_eval_ms: number;
  readonly n_p_eval: number;
  readonly n_eval: number;
}

/** The C struct `llama_batch`, passed by value. */
export interface NativeBatch {
  n_tokens: number;
  readonly token: Pointer;
  readonly embd: Pointer;
  readonly pos: Pointer;
  readonly n_seq_id: Pointer;
  readonly seq_id: Pointer;
  readonly logits: Pointer;
}

type Params = Record<string, unknown>;

/** Functions of llama.h under their own names without the `llama_` prefix. */
export interface LlamaFunctions {
  readonly version: () => string;
  readonly print_system_info: () => string;
  readonly backend_init: () => void;
  readonly model_default_params: () => Params;
  readonly context_default_params: () => Params;
  readonly sampler_chain_default_params: () => Params;
  readonly model_quantize_default_params: () => Params;
  readonly model_load_from_file: (path: string, params: Params) => Pointer;
  readonly model_free: (model: Pointer) => void;
  readonly init_from_model: (model: Pointer, params: Params) => Pointer;
  readonly free: (context: Pointer) => void;
  readonly model_quantize: (input: string, output: string, params: Params) => number;
  readonly n_ctx: (context: Pointer) => number;
  readonly get_memory: (context: Pointer) => Pointer;
  readonly model_get_vocab: (model: Pointer) => Pointer;
  readonly model_n_ctx_train: (model: Pointer) => number;
  readonly model_n_embd: (model: Pointer) => number;
  readonly model_n_layer: (model: Pointer) => number;
  readonly model_n_head: (model: Pointer) => number;
  readonly model_n_head_kv: (model: Pointer) => number;
  readonly model_desc: (model: Pointer, out: Buffer, size: number) => number;
  readonly model_meta_val_str: (model: Pointer, key: string, out: Buffer, size: number) => number;
  readonly model_chat_template: (model: Pointer, name: string | null) => string | null;
  readonly model_has_encoder: (model: Pointer) => boolean;
  readonly model_has_decoder: (model: Pointer) => boolean;
  readonly model_is_recurrent: (model: Pointer) => boolean;
  readonly model_is_hybrid: (model: Pointer) => boolean;
  readonly model_is_diffusion: (model: Pointer) => boolean;
  readonly adapter_lora_init: (model: Pointer, path: string) => Pointer;
  readonly set_adapters_lora: (context: Pointer, adapters: BigInt64Array, count: number, scales: Float32Array) => number;
  readonly memory_clear: (memory: Pointer, data: boolean) => void;
  readonly memory_seq_rm: (memory: Pointer, sequence: number, from: number, to: number) => boolean;
  readonly memory_seq_cp: (memory: Pointer, source: number, target: number, from: number, to: number) => void;
  readonly decode: (context: Pointer, batch: NativeBatch) => number;
  readonly synchronize: (context: Pointer) => void;
  readonly get_logits: (context: Pointer) => Pointer;
  readonly perf_context: (context: Pointer) => PerfCounts;
  readonly perf_context_reset: (context: Pointer) => void;
  readonly vocab_n_tokens: (vocab: Pointer) => number;
  readonly vocab_get_text: (vocab: Pointer, token: number) => string;
  readonly vocab_get_attr: (vocab: Pointer, token: number) => number;
  readonly vocab_is_eog: (vocab: Pointer, token: number) => boolean;
  readonly vocab_bos: (vocab: Pointer) => number;
  readonly vocab_eos: (vocab: Pointer) => number;
  readonly vocab_get_add_bos: (vocab: Pointer) => boolean;
  readonly tokenize: (
    vocab: Pointer,
    text: Buffer,
    bytes: number,
    out: Int32Array,
    size: number,
    special: boolean,
    parse: boolean,
  ) => number;
  readonly token_to_piece: (vocab: Pointer, token: number, out: Buffer, size: number, leftStrip: number, special: boolean) => number;
  readonly sampler_chain_init: (params: Params) => Pointer;
  readonly sampler_chain_add: (chain: Pointer, sampler: Pointer) => void;
  readonly sampler_init_greedy: () => Pointer;
  readonly sampler_init_dist: (seed: number) => Pointer;
  readonly sampler_init_top_k: (k: number) => Pointer;
  readonly sampler_init_top_p: (p: number, minimumKeep: number) => Pointer;
  readonly sampler_init_min_p: (p: number, minimumKeep: number) => Pointer;
  readonly sampler_init_temp: (temperature: number) => Pointer;
  readonly sampler_init_grammar: (vocab: Pointer, grammar: string, root: string) => Pointer;
  readonly sampler_init_penalties: (vocabulary: number, lastN: number, repeat: number, frequency: number, presence: number) => Pointer;
  readonly sampler_sample: (sampler: Pointer, context: Pointer, output: number) => number;
  readonly sampler_free: (sampler: Pointer) => void;
}

export interface NativeApi {
  readonly llama: LlamaFunctions;
  readonly version: string;
  /** Names of the compute devices beside the CPU. */
  readonly devices: () => string[];
  /** A window on native memory, without a copy. It must not be read after the memory is freed. */
  readonly view: (pointer: Pointer, bytes: number) => ArrayBuffer;
  /** Memory that stays in place until the process ends. */
  readonly allocate: (bytes: number) => bigint;
}

/**
 * Loads one build, its compute backends included, and checks the struct layouts.
 * @throws ToolError `unavailable` when a library does not load, `unsupported` when the layout is not the one this binding knows
 */
export function loadNativeApi(location: LibraryLocation): NativeApi {
  let llamaLibrary: LibraryHandle;
  let ggmlLibrary: LibraryHandle;
  let baseLibrary: LibraryHandle;
  try {
    baseLibrary = koffi.load(location.ggmlBase ?? location.ggml, { global: true });
    ggmlLibrary = koffi.load(location.ggml, { global: true });
    llamaLibrary = koffi.load(location.llama, { global: true });
  } catch (cause) {
    throw new ToolError('unavailable', `llama.cpp (${location.origin}) does not load: ${messageOf(cause)}`, {
      hint: 'a GPU build needs its driver libraries; set SLMBENCH_LLAMA_LIB to another build',
      cause,
    });
  }
  ggmlLibrary.func('ggml_backend_load_all_from_path', 'void', ['str'])(location.directory);
  const llama = declareFunctions(llamaLibrary, location);
  const version = llama.version();
  checkLayout('llama_model_default_params', llama.model_default_params(), version);
  checkLayout('llama_context_default_params', llama.context_default_params(), version);
  checkLayout('llama_sampler_chain_default_params', llama.sampler_chain_default_params(), version);
  checkLayout('llama_model_quantize_default_params', llama.model_quantize_default_params(), version);
  llama.backend_init();
  return {
    llama,
    version,
    devices: () => listDevices(ggmlLibrary, baseLibrary),
    view: (pointer, bytes) => koffi.view(pointer, bytes),
    allocate: (bytes) => koffi.alloc('uint8_t', bytes) as bigint,
  };
}

/** `enum ggml_backend_dev_type`: 0 is the CPU. */
function listDevices(ggml: LibraryHandle, base: LibraryHandle): string[] {
  const count = Number(ggml.func('ggml_backend_dev_count', 'size_t', [])());
  const get = ggml.func('ggml_backend_dev_get', 'void *', ['size_t']);
  const typeOf = base.func('ggml_backend_dev_type', 'int32_t', ['void *']);
  const nameOf = base.func('ggml_backend_dev_name', 'str', ['void *']);
  const descriptionOf = base.func('ggml_backend_dev_description', 'str', ['void *']);
  return Array.from({ length: count }, (_, index) => get(index))
    .filter((device) => typeOf(device) !== 0)
    .map((device) => `${nameOf(device)}: ${descriptionOf(device)}`);
}

type Signature = readonly [result: string | TypeObject, args: readonly (string | TypeObject)[]];

function declareFunctions(library: LibraryHandle, location: LibraryLocation): LlamaFunctions {
  const signatures = functionSignatures();
  const functions: Record<string, unknown> = {};
  for (const [name, [result, args]] of Object.entries(signatures)) {
    try {
      functions[name] = library.func(`llama_${name}`, result, [...args]);
    } catch (cause) {
      throw new ToolError('unsupported', `llama.cpp (${location.origin}) has no function llama_${name}`, {
        hint: `this binding is written for the build with ${Object.keys(expectedDefaults).length} known parameter structs, node-llama-cpp 3.21.1`,
        cause,
      });
    }
  }
  return functions as unknown as LlamaFunctions;
}

function functionSignatures(): Record<keyof LlamaFunctions, Signature> {
  const structs = declareStructs();
  const ptr = 'void *';
  return {
    version: ['str', []],
    print_system_info: ['str', []],
    backend_init: ['void', []],
    model_default_params: [structs.modelParams, []],
    context_default_params: [structs.contextParams, []],
    sampler_chain_default_params: [structs.samplerChainParams, []],
    model_quantize_default_params: [structs.quantizeParams, []],
    model_load_from_file: [ptr, ['str', structs.modelParams]],
    model_free: ['void', [ptr]],
    init_from_model: [ptr, [ptr, structs.contextParams]],
    free: ['void', [ptr]],
    model_quantize: ['uint32_t', ['str', 'str', koffi.pointer(structs.quantizeParams)]],
    n_ctx: ['uint32_t', [ptr]],
    get_memory: [ptr, [ptr]],
    model_get_vocab: [ptr, [ptr]],
    model_n_ctx_train: ['int32_t', [ptr]],
    model_n_embd: ['int32_t', [ptr]],
    model_n_layer: ['int32_t', [ptr]],
    model_n_head: ['int32_t', [ptr]],
    model_n_head_kv: ['int32_t', [ptr]],
    model_desc: ['int32_t', [ptr, ptr, 'size_t']],
    model_meta_val_str: ['int32_t', [ptr, 'str', ptr, 'size_t']],
    model_chat_template: ['str', [ptr, 'str']],
    model_has_encoder: ['bool', [ptr]],
    model_has_decoder: ['bool', [ptr]],
    model_is_recurrent: ['bool', [ptr]],
    model_is_hybrid: ['bool', [ptr]],
    model_is_diffusion: ['bool', [ptr]],
    adapter_lora_init: [ptr, [ptr, 'str']],
    set_adapters_lora: ['int32_t', [ptr, ptr, 'size_t', ptr]],
    memory_clear: ['void', [ptr, 'bool']],
    memory_seq_rm: ['bool', [ptr, 'int32_t', 'int32_t', 'int32_t']],
    memory_seq_cp: ['void', [ptr, 'int32_t', 'int32_t', 'int32_t', 'int32_t']],
    decode: ['int32_t', [ptr, structs.batch]],
    synchronize: ['void', [ptr]],
    get_logits: [ptr, [ptr]],
    perf_context: [structs.perfContext, [ptr]],
    perf_context_reset: ['void', [ptr]],
    vocab_n_tokens: ['int32_t', [ptr]],
    vocab_get_text: ['str', [ptr, 'int32_t']],
    vocab_get_attr: ['int32_t', [ptr, 'int32_t']],
    vocab_is_eog: ['bool', [ptr, 'int32_t']],
    vocab_bos: ['int32_t', [ptr]],
    vocab_eos: ['int32_t', [ptr]],
    vocab_get_add_bos: ['bool', [ptr]],
    tokenize: ['int32_t', [ptr, ptr, 'int32_t', ptr, 'int32_t', 'bool', 'bool']],
    token_to_piece: ['int32_t', [ptr, 'int32_t', ptr, 'int32_t', 'int32_t', 'bool']],
    sampler_chain_init: [ptr, [structs.samplerChainParams]],
    sampler_chain_add: ['void', [ptr, ptr]],
    sampler_init_greedy: [ptr, []],
    sampler_init_dist: [ptr, ['uint32_t']],
    sampler_init_top_k: [ptr, ['int32_t']],
    sampler_init_top_p: [ptr, ['float', 'size_t']],
    sampler_init_min_p: [ptr, ['float', 'size_t']],
    sampler_init_temp: [ptr, ['float']],
    sampler_init_grammar: [ptr, [ptr, 'str', 'str']],
    sampler_init_penalties: [ptr, ['int32_t', 'int32_t', 'float', 'float', 'float']],
    sampler_sample: ['int32_t', [ptr, ptr, 'int32_t']],
    sampler_free: ['void', [ptr]],
  };
}
